//! The program as others use it: what it writes can be read back, and its parts fit together.

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    process::{Command, Output},
};

use serde_json::Value;

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sm4-bench"))
        .arg("--quick")
        .args(arguments)
        .output()
        .expect("starts")
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Runs the program with `--json` and reads what it wrote.
fn document(name: &str, arguments: &[&str]) -> Value {
    let path = file(name);
    let output = bench(&[&["--json", path.to_str().expect("UTF-8")], arguments].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&fs::read(path).expect("written")).expect("JSON")
}

fn rows(document: &Value) -> &[Value] {
    document["rows"].as_array().expect("a list")
}

fn assert_close(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
}

#[test]
fn json_has_the_promised_rows_and_units() {
    let document = document(
        "units.json",
        &["--mode", "block,ecb,ctr,gcm", "--sizes", "64,4096"],
    );

    assert!(
        !document["machine"]["cpu"]
            .as_str()
            .expect("a name")
            .is_empty()
    );
    assert!(document["machine"]["flags"].is_array());
    let date = document["date"].as_str().expect("a date");
    assert!(
        date.len() == 20 && date.ends_with('Z') && date.contains('T'),
        "{date}"
    );
    if cfg!(target_arch = "x86_64") {
        let mhz = document["clock_mhz"].as_f64().expect("a frequency");
        assert!((200.0..10_000.0).contains(&mhz), "{mhz} MHz");
    }

    let names: BTreeSet<String> = rows(&document)
        .iter()
        .map(|row| format!("{} {} {}", row["mode"], row["operation"], row["size"]).replace('"', ""))
        .collect();
    let expected = [
        "BLOCK dec 16",
        "BLOCK enc 16",
        "CTR dec 4096",
        "CTR dec 64",
        "CTR enc 4096",
        "CTR enc 64",
        "ECB dec 4096",
        "ECB dec 64",
        "ECB enc 4096",
        "ECB enc 64",
        "ECB setup 0",
        "GCM auth 4096",
        "GCM auth 64",
        "GCM dec 4096",
        "GCM dec 64",
        "GCM enc 4096",
        "GCM enc 64",
        "GCM setup 0",
    ];
    assert_eq!(names, expected.map(str::to_owned).into());

    for row in rows(&document) {
        assert_eq!(row["implementation"], "ours");
        assert_eq!(row["version"], env!("CARGO_PKG_VERSION"));
        let backend: sm4::Backend = row["backend"]
            .as_str()
            .expect("a name")
            .parse()
            .expect("known");
        assert_eq!(Some(backend), sm4::Backend::available().next());

        let number = |name: &str| {
            row[name]
                .as_f64()
                .unwrap_or_else(|| panic!("{name} of {row}"))
        };
        let size = number("size");
        let message = number("ns_per_message_min");
        assert!(message > 0.0 && number("ns_per_message_median") >= message);
        if row["operation"] == "setup" {
            for name in [
                "ns_per_byte_min",
                "ns_per_byte_median",
                "cycles_per_byte",
                "mib_per_s",
            ] {
                assert!(row[name].is_null(), "{name} of a row without bytes");
            }
        } else {
            let byte = number("ns_per_byte_min");
            assert_close(byte * size, message);
            assert_close(
                number("ns_per_byte_median") * size,
                number("ns_per_message_median"),
            );
            assert_close(number("mib_per_s") * 1_048_576.0 * byte, 1e9);
            if cfg!(target_arch = "x86_64") {
                assert_close(
                    number("cycles_per_byte"),
                    byte * number("clock_mhz") / 1000.0,
                );
            }
        }
        if cfg!(target_arch = "x86_64") {
            let cycles = number("cycles_per_message");
            assert_close(cycles, message * number("clock_mhz") / 1000.0);
        }
        assert_eq!(
            row["cycles_per_byte_slope"].is_f64(),
            size == 4096.0,
            "slope of {row}"
        );
    }
}

/// All modes with all that can be done with them: the names that others rely on.
const ALL: &[(&str, &str)] = &[
    ("BLOCK", "enc dec"),
    ("ECB", "enc dec setup"),
    ("CBC", "enc dec"),
    ("CFB", "enc dec"),
    ("CFB8", "enc dec"),
    ("OFB", "enc dec"),
    ("CTR", "enc dec"),
    ("CTR32BE", "enc dec"),
    ("CTR32LE", "enc dec"),
    ("CBC-CS1", "enc dec"),
    ("CBC-CS2", "enc dec"),
    ("CBC-CS3", "enc dec"),
    ("XTS-IEEE", "enc dec"),
    ("XTS-GB", "enc dec"),
    ("HCTR", "enc dec"),
    ("BC", "enc dec"),
    ("OFBNLF", "enc dec"),
    ("CCM", "enc dec auth"),
    ("EAX", "enc dec auth"),
    ("GCM", "enc dec auth setup"),
    ("OCB", "enc dec auth"),
    ("GCM-SIV", "enc dec auth"),
    ("SIV", "enc dec auth"),
    ("CMAC", "auth"),
    ("CBC-MAC", "auth"),
    ("GMAC", "auth"),
    ("GHASH", "auth"),
    ("KW", "enc dec"),
    ("KWP", "enc dec"),
];

#[test]
fn json_has_a_row_for_everything() {
    let document = document("everything.json", &["--sizes", "64"]);
    let name = |row: &Value| format!("{} {}", row["mode"], row["operation"]).replace('"', "");
    let names: Vec<String> = rows(&document).iter().map(name).collect();
    let expected = ALL.iter().flat_map(|(mode, operations)| {
        let operations = operations.split(' ');
        operations.map(move |operation| format!("{mode} {operation}"))
    });
    let once: BTreeSet<&String> = names.iter().collect();
    assert_eq!(once.len(), names.len(), "a row is there twice: {names:?}");
    assert_eq!(
        names.iter().cloned().collect::<BTreeSet<_>>(),
        expected.collect()
    );
}

#[test]
fn csv_has_the_rows_of_json() {
    let csv = file("rows.csv");
    let document = document(
        "rows.json",
        &[
            "--mode",
            "cmac",
            "--sizes",
            "64",
            "--csv",
            csv.to_str().expect("UTF-8"),
        ],
    );
    let csv = fs::read_to_string(csv).expect("written");
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let [row] = rows(&document) else {
        panic!("one row expected")
    };
    let row = row.as_object().expect("an object");
    assert_eq!(lines.len(), 2);
    assert_eq!(
        lines[0].iter().copied().collect::<BTreeSet<_>>(),
        row.keys().map(String::as_str).collect()
    );
    for (name, value) in lines[0].iter().zip(&lines[1]) {
        match &row[*name] {
            Value::Null => assert_eq!(*value, "", "{name}"),
            Value::String(text) => assert_eq!(value, text, "{name}"),
            // Reading may be off in the last digit.
            number => assert_close(
                value.parse().expect("a number"),
                number.as_f64().expect("a number"),
            ),
        }
    }
}

#[test]
fn every_backend_can_be_measured() {
    let document = document(
        "all.json",
        &["--mode", "ecb", "--sizes", "256", "--backend", "all"],
    );
    let measured: BTreeSet<&str> = rows(&document)
        .iter()
        .filter_map(|row| row["backend"].as_str())
        .collect();
    assert_eq!(
        measured,
        sm4::Backend::available().map(sm4::Backend::name).collect()
    );
}

#[test]
fn a_peer_is_measured_or_listed_as_absent() {
    let document = document("peers.json", &["--mode", "ecb", "--sizes", "64", "--peers"]);
    let absent: Vec<&str> = document["absent"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    for peer in ["rustcrypto", "libgcrypt", "openssl", "botan"] {
        let measured = rows(&document)
            .iter()
            .any(|row| row["implementation"] == peer);
        let excused = absent
            .iter()
            .any(|reason| reason.starts_with(&format!("{peer}: ")));
        assert!(
            measured != excused,
            "{peer}: measured {measured}, absent {excused}"
        );
    }
}

#[cfg(feature = "rustcrypto")]
#[test]
fn a_wrong_peer_ends_the_run() {
    for (mode, operation) in [
        ("cbc", "CBC enc"),
        ("gcm", "GCM enc"),
        ("siv", "SIV enc"),
        ("kw", "KW enc"),
        ("cmac", "CMAC auth"),
        ("ghash", "GHASH auth"),
    ] {
        let output = bench(&[
            "--mode",
            mode,
            "--sizes",
            "64",
            "--peers",
            "--falsify",
            "rustcrypto",
        ]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(errors.contains("rustcrypto"), "{errors}");
        assert!(errors.contains("does not agree with ours"), "{errors}");
        assert!(errors.contains(operation), "{errors}");
    }
}

#[test]
fn nonsense_is_refused() {
    for (arguments, complaint) in [
        (&["--mode", "rot13"][..], "no such mode"),
        (&["--sizes", "17"], "multiple of 16"),
        (&["--sizes", "2097152"], "multiple of 16"),
        (&["--backend", "abacus"], "unknown SM4 backend"),
        (&["--peers", "--falsify", "nobody"], "no such peer"),
        (&["--figures", "."], "--peers"),
        (
            &[
                "--json",
                "/nonexistent/folder/file",
                "--mode",
                "cmac",
                "--sizes",
                "16",
            ],
            "/nonexistent",
        ),
    ] {
        let output = bench(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(errors.contains(complaint), "{arguments:?}: {errors}");
    }
}

#[test]
fn pictures_are_drawn() {
    let folder = file("pictures");
    let output = bench(&[
        "--mode",
        "ecb,ctr",
        "--sizes",
        "16,64,256",
        "--svg",
        folder.to_str().expect("UTF-8"),
    ]);
    assert!(output.status.success());
    let bars = fs::read_to_string(folder.join("modes.svg")).expect("written");
    let curves = fs::read_to_string(folder.join("sizes.svg")).expect("written");
    assert!(bars.contains("ECB enc") && bars.contains("256 bytes"));
    assert!(curves.contains("CTR enc"));
    // Two panels or more, one curve in each.
    assert!(curves.matches("<polyline").count() >= 2);
    for picture in [bars, curves] {
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }
}
