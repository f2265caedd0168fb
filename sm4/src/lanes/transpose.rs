//! Blocks in memory to words or bytes in registers, and back: the one pair of transposes of every
//! instruction set with 128-bit lanes.
//!
//! Both are built of one step, `zip`, which interleaves two registers in every lane. Zipping row
//! `r` with row `r + n/2`, for all `r`, rotates the bits of the index (row, column) by one place:
//!
//! ```text
//! row r3 r2 r1 r0   column c3 c2 c1 c0      ->      row r2 r1 r0 c3   column c2 c1 c0 r3
//! ```
//!
//! After as many steps as a row index has bits, rows and columns have changed places. Doing it
//! once more changes them back, so that loading and storing share it.

use super::Lanes;
use crate::span::Span;

/// The 4×4 matrix of 32-bit words in every lane becomes its transpose: four blocks a lane become
/// the four words of these blocks.
#[inline(always)]
pub(crate) fn words<R: Lanes>(rows: [R; 4]) -> [R; 4] {
    #[inline(always)]
    fn step<R: Lanes>([r0, r1, r2, r3]: [R; 4]) -> [R; 4] {
        let ((a0, a1), (a2, a3)) = (r0.zip32(r2), r1.zip32(r3));
        [a0, a1, a2, a3]
    }
    step(step(rows))
}

/// The 16×16 matrix of bytes in every lane becomes its transpose: sixteen blocks a lane become the
/// sixteen bytes of these blocks.
#[inline(always)]
pub(crate) fn bytes<R: Lanes>(rows: [[R; 4]; 4]) -> [[R; 4]; 4] {
    #[inline(always)]
    fn step<R: Lanes>([a, b, c, d]: [[R; 4]; 4]) -> [[R; 4]; 4] {
        let ((r0, r1), (r2, r3)) = (a[0].zip8(c[0]), a[1].zip8(c[1]));
        let ((r4, r5), (r6, r7)) = (a[2].zip8(c[2]), a[3].zip8(c[3]));
        let ((r8, r9), (r10, r11)) = (b[0].zip8(d[0]), b[1].zip8(d[1]));
        let ((r12, r13), (r14, r15)) = (b[2].zip8(d[2]), b[3].zip8(d[3]));
        [
            [r0, r1, r2, r3],
            [r4, r5, r6, r7],
            [r8, r9, r10, r11],
            [r12, r13, r14, r15],
        ]
    }
    step(step(step(step(rows))))
}

#[inline(always)]
fn add<R: Lanes>([a0, a1, a2, a3]: [R; 4], [b0, b1, b2, b3]: [R; 4]) -> [R; 4] {
    [a0.xor(b0), a1.xor(b1), a2.xor(b2), a3.xor(b3)]
}

/// Loads four registers, the first of which is the kernel's register number `first`, and adds the masks.
///
/// # Safety
/// The CPU has the instructions; there are at least as many blocks as a register holds.
#[inline(always)]
pub(super) unsafe fn load<R: Lanes>(span: Span, first: usize) -> [R; 4] {
    let at = |i| R::BYTES * (first + i);
    // SAFETY: the same conditions
    let register = |i| unsafe { R::load(span.input(at(i), R::BYTES)) };
    let rows = [register(0), register(1), register(2), register(3)];
    let Some(before) = span.before() else {
        return rows;
    };
    // SAFETY: the same conditions; there are as many masks as blocks
    let mask = |i| unsafe { R::load(before(at(i), R::BYTES)) };
    add(rows, [mask(0), mask(1), mask(2), mask(3)])
}

/// Stores four registers, the first of which is the kernel's register number `first`, with the masks
/// added.
///
/// # Safety
/// There are at least as many blocks as a register holds.
#[inline(always)]
pub(super) unsafe fn store<R: Lanes>(rows: [R; 4], span: Span, first: usize) {
    let at = |i| R::BYTES * (first + i);
    let to = |i| span.output(at(i), R::BYTES);
    let [r0, r1, r2, r3] = match span.after() {
        None => rows,
        Some(after) => {
            // SAFETY: the rows prove the CPU; there are as many masks as blocks
            let mask = |i| unsafe { R::load(after(at(i), R::BYTES)) };
            add(rows, [mask(0), mask(1), mask(2), mask(3)])
        }
    };
    // SAFETY: the same condition
    unsafe {
        r0.store(to(0));
        r1.store(to(1));
        r2.store(to(2));
        r3.store(to(3));
    }
}
