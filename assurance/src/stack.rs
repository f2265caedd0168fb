//! What a call leaves on the stack below its caller.

use core::{hint::black_box, mem::MaybeUninit};

/// How far down the stack is looked at, in bytes.
pub const DEPTH: usize = 1 << 17;

/// What [`remains`] fills the stack with before the call.
pub const FILL: u8 = 0x5a;

/// Runs the call and copies what the dead stack below holds then. Where the call has not been, that
/// is [`FILL`].
///
/// The bytes of several calls can be compared if they come from the same place, at the same depth,
/// and with the same addresses.
#[inline(never)]
pub fn remains(dead: &mut [u8; DEPTH], call: &mut dyn FnMut()) {
    fill();
    call();
    copy(dead);
}

/// Overwrites the stack below the caller.
#[inline(never)]
fn fill() {
    black_box(&mut [FILL; DEPTH]);
}

/// Reads the stack below the caller.
#[inline(never)]
fn copy(dead: &mut [u8]) {
    let stack: MaybeUninit<[u8; DEPTH]> = MaybeUninit::uninit();
    let stack = black_box(&stack).as_ptr().cast::<u8>();
    for (i, byte) in dead.iter_mut().enumerate() {
        // SAFETY: The memory is this function's own. What it holds is whatever earlier calls left
        // there; the volatile read takes it as it is.
        *byte = unsafe { stack.add(i).read_volatile() };
    }
}
