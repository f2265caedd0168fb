//! Memory between two pages that nobody may touch.

use core::{ptr, slice};

/// What the memory holds where nothing has been put.
pub const CANARY: u8 = 0xc5;

/// Whole pages of memory, with a page before and a page after it that are not accessible: whoever
/// reads or writes beyond the memory is stopped at once.
#[derive(Debug)]
pub struct Pages {
    memory: *mut u8,
    len: usize,
    page: usize,
}

/// At which end of the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// From the first byte on.
    First,
    /// Up to the last byte.
    Last,
}

impl Edge {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::First, Self::Last];
}

impl Pages {
    /// At least as many bytes.
    ///
    /// # Panics
    /// If the system does not give the memory.
    #[must_use]
    pub fn new(len: usize) -> Self {
        // SAFETY: a question to the system; the new mapping is nobody else's; the pages whose
        // protection changes are within it
        unsafe {
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(0);
            assert!(page > 0, "no page size");
            let len = len.next_multiple_of(page);
            let base = libc::mmap(
                ptr::null_mut(),
                len + 2 * page,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            );
            assert!(base != libc::MAP_FAILED, "no memory");
            let memory = base.cast::<u8>().add(page);
            let done = libc::mprotect(memory.cast(), len, libc::PROT_READ | libc::PROT_WRITE);
            assert!(done == 0, "no access");
            let mut pages = Self { memory, len, page };
            pages.all().fill(CANARY);
            pages
        }
    }

    fn all(&mut self) -> &mut [u8] {
        // SAFETY: the memory is readable and writable and belongs to `self`
        unsafe { slice::from_raw_parts_mut(self.memory, self.len) }
    }

    /// A copy of the bytes at one edge of the memory; canaries everywhere else.
    pub fn put(&mut self, bytes: &[u8], edge: Edge) -> &mut [u8] {
        self.all().fill(CANARY);
        let place = self.at(bytes.len(), edge);
        place.copy_from_slice(bytes);
        place
    }

    /// The bytes at one edge of the memory.
    pub fn at(&mut self, len: usize, edge: Edge) -> &mut [u8] {
        let first = match edge {
            Edge::First => 0,
            Edge::Last => self.len - len,
        };
        &mut self.all()[first..first + len]
    }

    /// Whether the canaries around the bytes at one edge are all there.
    #[must_use]
    pub fn is_intact(&mut self, len: usize, edge: Edge) -> bool {
        let all = self.all();
        let others = match edge {
            Edge::First => &all[len..],
            Edge::Last => &all[..all.len() - len],
        };
        others.iter().all(|&byte| byte == CANARY)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping is that of `new`
        unsafe {
            libc::munmap(self.memory.sub(self.page).cast(), self.len + 2 * self.page);
        }
    }
}
