//! What an operating system or a C library would have: memory, and functions on it whose time depends
//! on lengths only, but for comparisons, so that a comparison of secrets is seen.

use alloc::alloc::{GlobalAlloc, Layout};
use core::{
    arch::asm,
    cell::UnsafeCell,
    ffi::c_int,
    panic::PanicInfo,
    ptr,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

const SIZE: usize = 1 << 16;

#[repr(align(4096))]
struct Heap(UnsafeCell<[u8; SIZE]>, AtomicUsize);

// SAFETY: there is one thread
unsafe impl Sync for Heap {}

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new([0; SIZE]), AtomicUsize::new(0));

/// The same addresses for each operation.
pub fn free_all() {
    HEAP.1.store(0, Relaxed);
}

// SAFETY: each piece of memory is given away once between two operations
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.1.load(Relaxed).next_multiple_of(layout.align());
        let end = start + layout.size();
        if end > SIZE {
            return ptr::null_mut();
        }
        self.1.store(end, Relaxed);
        self.0.get().cast::<u8>().wrapping_add(start)
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: stops here
    unsafe { asm!("ud2", options(noreturn)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    // SAFETY: the caller vouches for the memory
    unsafe {
        asm!("rep movsb", inout("rcx") len => _, inout("rdi") to => _, inout("rsi") from => _)
    };
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    if to.addr() <= from.addr() {
        // SAFETY: forwards, what is overwritten has been read
        return unsafe { memcpy(to, from, len) };
    }
    let (last_to, last_from) = (
        to.wrapping_add(len).wrapping_sub(1),
        from.wrapping_add(len).wrapping_sub(1),
    );
    // SAFETY: and backwards as well
    unsafe {
        asm!("std", "rep movsb", "cld", inout("rcx") len => _, inout("rdi") last_to => _, inout("rsi") last_from => _);
    }
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: c_int, len: usize) -> *mut u8 {
    // SAFETY: the caller vouches for the memory
    unsafe { asm!("rep stosb", inout("rcx") len => _, inout("rdi") to => _, in("eax") byte) };
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> c_int {
    for i in 0..len {
        // SAFETY: the caller vouches for the memory
        let (a, b) = unsafe { (a.add(i).read_volatile(), b.add(i).read_volatile()) };
        if a != b {
            return c_int::from(a) - c_int::from(b);
        }
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> c_int {
    // SAFETY: the same
    unsafe { memcmp(a, b, len) }
}

// The precompiled `alloc` refers to it.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[unsafe(no_mangle)]
extern "C" fn _Unwind_Resume() {}
