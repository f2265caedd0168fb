//! As much SVG as the plots need.

use core::fmt::Write as _;

/// Which end of a text is at the given place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture in the making.
pub(super) struct Svg(String);

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" \
             font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        ))
    }

    pub(super) fn finish(self) -> String {
        self.0 + "</svg>\n"
    }

    pub(super) fn text(&mut self, x: f64, y: f64, size: f64, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        self.push(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             fill=\"#222222\">{text}</text>"
        ));
    }

    pub(super) fn rectangle(&mut self, x: f64, y: f64, width: f64, height: f64, colour: &str) {
        self.push(&format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{colour}\"/>"
        ));
    }

    pub(super) fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64, colour: &str) {
        self.push(&format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
        ));
    }

    /// A line through points, with a dot at each.
    pub(super) fn curve(&mut self, points: &[(f64, f64)], colour: &str) {
        let mut path = String::new();
        for (x, y) in points {
            // Writing to a string does not fail.
            let _ = write!(path, "{x:.1},{y:.1} ");
        }
        self.push(&format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.trim_end()
        ));
        for (x, y) in points {
            self.push(&format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
            ));
        }
    }

    fn push(&mut self, element: &str) {
        self.0 += element;
        self.0 += "\n";
    }
}
