//! What valgrind's memcheck knows about memory, asked for by *client requests*.
//!
//! Memcheck keeps track, bit by bit, of what has been computed from undefined memory, and reports
//! a branch or an address that depends on it. Call the secrets undefined, and it reports each
//! branch and each address that depends on a secret: all that a constant-time program must not do.
//!
//! A client request is a sequence of instructions that does nothing on a CPU and that valgrind
//! recognises (valgrind manual, section 3.1; the sequence and the numbers are those of
//! `valgrind.h` and `memcheck.h`, which are free to use). Outside valgrind, and on other CPUs than
//! x86-64, requests are without effect and [`running`] says so.

/// `VG_USERREQ__RUNNING_ON_VALGRIND`
const RUNNING_ON_VALGRIND: usize = 0x1001;
/// `VG_USERREQ__COUNT_ERRORS`
const COUNT_ERRORS: usize = 0x1201;
/// `VG_USERREQ_TOOL_BASE('M', 'C')`, from where memcheck counts its own requests.
const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
/// `VG_USERREQ__MAKE_MEM_UNDEFINED`
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
/// `VG_USERREQ__MAKE_MEM_DEFINED`
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
/// `VG_USERREQ__GET_VBITS`
const GET_VBITS: usize = MEMCHECK + 8;

/// Makes a request and returns its answer, which is 0 outside valgrind.
#[cfg(target_arch = "x86_64")]
fn request(number: usize, arguments: [usize; 3]) -> usize {
    let [a, b, c] = arguments;
    let request = [number, a, b, c, 0, 0];
    let mut answer = 0;
    // SAFETY: The four rotations of `rdi` add up to 128 bits, the exchange is of a register with
    // itself: nothing happens but to the flags. Under valgrind, the request is read where `rax`
    // points to, and the answer comes in `rdx`.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") &raw const request,
            inout("rdx") answer,
            out("rdi") _,
            options(nostack),
        );
    }
    answer
}

#[cfg(not(target_arch = "x86_64"))]
fn request(_number: usize, _arguments: [usize; 3]) -> usize {
    0
}

/// Whether this program runs under valgrind.
#[must_use]
pub fn running() -> bool {
    request(RUNNING_ON_VALGRIND, [0; 3]) != 0
}

/// Number of errors that have been found so far.
#[must_use]
pub fn errors() -> usize {
    request(COUNT_ERRORS, [0; 3])
}

/// Makes the bytes secret: from now on, memcheck takes them for undefined.
pub fn make_secret(bytes: &mut [u8]) {
    request(
        MAKE_MEM_UNDEFINED,
        [bytes.as_ptr() as usize, bytes.len(), 0],
    );
}

/// Makes the bytes public: from now on, memcheck takes them for defined.
pub fn make_public(bytes: &mut [u8]) {
    request(MAKE_MEM_DEFINED, [bytes.as_ptr() as usize, bytes.len(), 0]);
}

/// How many of the bytes are computed from secrets.
///
/// # Panics
/// If memcheck cannot say.
#[must_use]
pub fn count_secret(bytes: &[u8]) -> usize {
    let mut bits = vec![0u8; bytes.len()];
    let address = bytes.as_ptr() as usize;
    let answer = request(GET_VBITS, [address, bits.as_mut_ptr() as usize, bits.len()]);
    assert!(answer < 2, "no such memory");
    bits.iter().filter(|&&bits| bits != 0).count()
}
