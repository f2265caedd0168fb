//! Where a kernel finds its blocks and puts them.

use core::{mem::MaybeUninit, ptr};

use crate::CounterBlocks;

/// Blocks in memory: where they come from and where they go to. The two are the same or do not
/// overlap.
///
/// A kernel loads its registers from fixed places, so it would read and write too far if there are
/// fewer blocks than it has room for. Instead, a register whose place lies beyond the end takes the
/// last blocks there are, once more:
///
/// ```text
/// memory      | 0 | 1 | 2 | 3 | 4 | 5 |
/// registers   | 0   1   2   3 |
///                     | 2   3   4   5 |       not 4 5 6 7
///                     | 2   3   4   5 |       not 8 9 10 11
/// ```
///
/// What has been computed more than once is the same each time, so it may be stored more than once.
/// In place that is true as well, because a kernel loads everything before it stores anything.
///
/// Whoever makes a span vouches for its memory; that is what kernels rely on, and why a span lives
/// no longer than the call it is made for.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    input: *const u8,
    output: *mut u8,
    len: usize,
    /// Where the places of the kernel begin.
    offset: usize,
    /// How far the beginning lies behind that of the counter blocks.
    counted: usize,
    masks: Masks,
}

/// Masks to be added to the blocks when they are loaded, and when they are stored; counter blocks to
/// be encrypted instead of what could be loaded. Each of them may be null.
#[derive(Clone, Copy)]
pub(crate) struct Masks {
    pub(crate) before: *const u8,
    pub(crate) after: *const u8,
    pub(crate) counters: *const CounterBlocks,
}

impl Masks {
    pub(crate) const NONE: Self = Self {
        before: ptr::null(),
        after: ptr::null(),
        counters: ptr::null(),
    };
}

impl Span {
    /// The most blocks that a kernel may ask for.
    pub(crate) const MOST: usize = 128;

    /// `count` blocks.
    ///
    /// # Safety
    /// They are readable at `input` and writable at `output`; the two are the same or do not
    /// overlap.
    #[inline(always)]
    pub(crate) unsafe fn new(input: *const u8, output: *mut u8, count: usize) -> Self {
        Self {
            input,
            output,
            len: 16 * count,
            offset: 0,
            counted: 0,
            masks: Masks::NONE,
        }
    }

    /// The same blocks with masks. Only for kernels that add masks, with as many blocks as they take
    /// at most: then no block is stored twice.
    ///
    /// # Safety
    /// If not null, as many masks as blocks are readable. `before` does not overlap with the output;
    /// `after` is the output or does not overlap with it. The counter blocks, if not null, are readable,
    /// and there are as many. There are as many blocks as the kernel takes at most.
    #[inline(always)]
    pub(crate) unsafe fn masked(self, masks: &Masks) -> Self {
        Self {
            masks: *masks,
            ..self
        }
    }

    /// The same blocks for a part of the kernel whose places begin further on.
    #[inline(always)]
    pub(crate) fn skip(self, blocks: usize) -> Self {
        Self {
            offset: self.offset + 16 * blocks,
            ..self
        }
    }

    /// The `count` blocks from here on, for a part of the kernel that cannot do with less: if there
    /// are fewer of them, the last `count`.
    ///
    /// # Safety
    /// There are at least `count` blocks in all.
    #[inline(always)]
    pub(crate) unsafe fn part(self, count: usize) -> Self {
        let len = 16 * count;
        let masks = |masks: *const u8| {
            if masks.is_null() {
                masks
            } else {
                masks.wrapping_add(self.place(0, len))
            }
        };
        Self {
            input: self.input(0, len),
            output: self.output(0, len),
            len,
            offset: 0,
            counted: self.counted + self.place(0, len),
            masks: Masks {
                before: masks(self.masks.before),
                after: masks(self.masks.after),
                ..self.masks
            },
        }
    }

    /// Number of blocks in all.
    #[inline(always)]
    pub(crate) fn count(self) -> usize {
        self.len / 16
    }

    /// Where to load `size` bytes from whose place is `at`. They are readable if there are as many
    /// bytes in all.
    #[inline(always)]
    pub(crate) fn input(self, at: usize, size: usize) -> *const u8 {
        self.input.wrapping_add(self.place(at, size))
    }

    /// Where to store `size` bytes whose place is `at`. They are writable if there are as many
    /// bytes in all.
    #[inline(always)]
    pub(crate) fn output(self, at: usize, size: usize) -> *mut u8 {
        self.output.wrapping_add(self.place(at, size))
    }

    /// How far from the beginning that is.
    #[inline(always)]
    fn place(self, at: usize, size: usize) -> usize {
        debug_assert!(size <= self.len);
        (self.offset + at).min(self.len.wrapping_sub(size))
    }

    /// The masks to be added to what has been loaded. The function gives that of a place.
    #[inline(always)]
    pub(crate) fn before(self) -> Option<impl Fn(usize, usize) -> *const u8> {
        (!self.masks.before.is_null())
            .then_some(move |at, size| self.masks.before.wrapping_add(self.place(at, size)))
    }

    /// The counter blocks to be encrypted, and the number of the first of them.
    #[inline(always)]
    pub(crate) fn counters(self) -> Option<(*const CounterBlocks, usize)> {
        (!self.masks.counters.is_null())
            .then_some((self.masks.counters, (self.counted + self.offset) / 16))
    }

    /// The masks to be added to what is to be stored. The function gives that of a place.
    #[inline(always)]
    pub(crate) fn after(self) -> Option<impl Fn(usize, usize) -> *const u8> {
        (!self.masks.after.is_null())
            .then_some(move |at, size| self.masks.after.wrapping_add(self.place(at, size)))
    }
}

/// Hands `count` blocks to a kernel that cannot do with less than `most`, by way of a buffer.
///
/// # Safety
/// `16 * count` bytes are readable at `input` and writable at `output`; the two are the same or do
/// not overlap. `kernel` may be called with `most` blocks.
#[inline(always)]
pub(crate) unsafe fn pad(
    input: *const u8,
    output: *mut u8,
    count: usize,
    most: usize,
    kernel: impl FnOnce(*const u8, *mut u8),
) {
    let mut buffer = [const { MaybeUninit::<u8>::uninit() }; 16 * Span::MOST];
    assert!(count <= most && most <= Span::MOST);
    let blocks = buffer.as_mut_ptr().cast::<u8>();
    // SAFETY: so many bytes are readable and writable, the buffer holds as many and more, and all
    // that the kernel reads of it has been written
    unsafe {
        blocks.copy_from_nonoverlapping(input, 16 * count);
        blocks.add(16 * count).write_bytes(0, 16 * (most - count));
        kernel(blocks, blocks);
        output.copy_from_nonoverlapping(blocks, 16 * count);
    }
}
