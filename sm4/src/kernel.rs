//! From a number of blocks to the kernels that work on them.

use core::{hint::black_box, mem::MaybeUninit};

use cipher::{array::ArraySize, typenum::Unsigned};

use crate::{
    domain::Domain,
    feedback::Feedback,
    round::Direction,
    schedule::RoundKeys,
    span::{Masks, Span},
};

/// Something to do with the target features of an instruction set.
pub(crate) trait Operation {
    type Output;

    /// Implementations are `#[inline(always)]`.
    ///
    /// # Safety
    /// The CPU has the instruction set's features.
    unsafe fn call(self) -> Self::Output;
}

/// A way to encrypt and decrypt blocks.
pub(crate) trait Kernel {
    /// The most blocks it takes.
    const BLOCKS: usize;

    /// The fewest blocks it takes.
    const LEAST: usize = Self::BLOCKS;

    /// The domain in which it wants the round keys.
    const DOMAIN: Option<Domain>;

    /// Whether it adds the masks of a span. There must be none if not.
    const ADDS_MASKS: bool = false;

    /// Whether it can encrypt the counter blocks of a span. There must be none if not.
    const COUNTS: bool = false;

    /// Encrypts or decrypts the blocks. Implementations are `#[inline(always)]`, and either work on
    /// each block once or load all before they store any (see [`Span`]).
    ///
    /// # Safety
    /// The CPU has the instructions of the kernel. There are [`Self::LEAST`] to [`Self::BLOCKS`]
    /// blocks. If the span has masks, the kernel [adds](Self::ADDS_MASKS) them, and there are
    /// [`Self::BLOCKS`] blocks; the same for counter blocks and [`Self::COUNTS`].
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span);
}

/// An instruction set that SM4 is made for.
pub(crate) trait InstructionSet {
    /// Blocks that callers of [`Sm4`](crate::Sm4) should hand over at once.
    type ParBlocks: ArraySize;

    /// Blocks that the widest kernel takes.
    type BulkBlocks: ArraySize;

    /// Whether there is a kernel for just so many blocks, compiled [with masks](with_masks), that adds
    /// masks.
    fn adds_masks(count: usize) -> bool;

    /// Whether it also encrypts counter blocks.
    fn counts(count: usize) -> bool;

    /// Compiles the operation with the instruction set's target features and runs it.
    ///
    /// # Safety
    /// The CPU has the instruction set.
    unsafe fn run<O: Operation>(operation: O) -> O::Output;

    /// Computes the round keys.
    ///
    /// # Safety
    /// The CPU has the instruction set.
    unsafe fn expand_key(key: &[u8; 16], keys: &mut RoundKeys);

    /// Computes the round keys and encrypts a block with them, side by side if these are chains of
    /// rounds.
    ///
    /// # Safety
    /// The CPU has the instruction set.
    unsafe fn expand_key_and_encrypt(key: &[u8; 16], keys: &mut RoundKeys, block: &mut [u8; 16]);

    /// Encrypts or decrypts one block in the shortest time.
    ///
    /// # Safety
    /// The CPU has the instruction set. 16 bytes are readable at `input` and writable at `output`;
    /// the two are the same or do not overlap.
    unsafe fn crypt_block(
        keys: &RoundKeys,
        direction: Direction,
        input: *const u8,
        output: *mut u8,
    );

    /// Runs a mode with feedback over `count` blocks.
    ///
    /// # Safety
    /// As for [`feedback::feed`](crate::feedback::feed); the CPU has the instruction set.
    unsafe fn feed<F: Feedback>(
        keys: &RoundKeys,
        state: &mut [u8; 16],
        input: *const u8,
        output: *mut u8,
        count: usize,
    );

    /// Encrypts or decrypts up to [`Self::BulkBlocks`] blocks, by the narrowest kernel that fits.
    /// All that it is given fits into registers.
    ///
    /// # Panics
    /// If there are more.
    ///
    /// # Safety
    /// The CPU has the instruction set. `16 * count` bytes are readable at `input` and writable at
    /// `output`; the two are the same or do not overlap. If there are masks, the instruction set
    /// [adds masks](Self::adds_masks) to so many blocks, and there is what [`Span::masked`] asks for; if
    /// there are counter blocks, it [counts](Self::counts) so many.
    unsafe fn crypt_batch(
        keys: &RoundKeys,
        direction: Direction,
        input: *const u8,
        output: *mut u8,
        count: usize,
        masks: Option<&Masks>,
    );
}

/// Encrypts or decrypts any number of blocks.
///
/// # Safety
/// The CPU has the instruction set. `16 * count` bytes are readable at `input` and writable at
/// `output`; the two are the same or do not overlap.
#[inline]
pub(crate) unsafe fn crypt_blocks<I: InstructionSet>(
    keys: &RoundKeys,
    direction: Direction,
    mut input: *const u8,
    mut output: *mut u8,
    mut count: usize,
) {
    if count == 1 {
        // SAFETY: the same conditions
        return unsafe { I::crypt_block(keys, direction, input, output) };
    }
    while count > 0 {
        let batch = count.min(I::BulkBlocks::USIZE);
        // SAFETY: the same conditions; `batch` of the `count` blocks are left
        unsafe {
            I::crypt_batch(keys, direction, input, output, batch, None);
            input = input.add(16 * batch);
            output = output.add(16 * batch);
        }
        count -= batch;
    }
}

/// Whether a kernel is compiled with masks as well: if it can add them, and it is the widest, or half as
/// wide. Narrower ones have too little to do for it to pay.
pub(crate) const fn with_masks<K: Kernel, I: InstructionSet>() -> bool {
    K::ADDS_MASKS && (K::BLOCKS == I::BulkBlocks::USIZE || 2 * K::BLOCKS == I::BulkBlocks::USIZE)
}

/// Makes a function's stack frame begin at a cache line.
///
/// For the vectors that it spills, the compiler is content with the 16 bytes of alignment that every
/// frame has. Then every other YMM register lies across two cache lines or none does, as it happens
/// with the caller: 1.95 or 1.71 cycles per byte with VAES on Zen 5.
#[inline(always)]
pub(crate) fn align_frame() {
    #[repr(align(64))]
    struct Line(#[allow(dead_code, reason = "what counts is where it is")] u8);
    black_box(&mut MaybeUninit::<Line>::uninit());
}

/// Defines an instruction set: the one thing that needs a macro, because the names of target
/// features have to be literals.
///
/// `batches` lists the kernels by their number of blocks, the narrowest first, each with the name
/// of its function as profilers and disassemblers show it; the last one takes `bulk_blocks`.
/// `#[cfg(all())]` as the target features, an attribute without effect, means none.
macro_rules! define_instruction_set {
    (
        $(#[$doc:meta])*
        $name:ident,
        target_features: #[$features:meta],
        par_blocks: $par:ty, bulk_blocks: $bulk:ty,
        schedule: $schedule:ty, block: $block:ty,
        batches: [$($function:ident: $kernel:ty),* $(,)?],
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) enum $name {}

        impl $crate::kernel::InstructionSet for $name {
            type ParBlocks = $par;
            type BulkBlocks = $bulk;

            #[inline(always)]
            fn adds_masks(count: usize) -> bool {
                $(
                    if count == <$kernel as $crate::kernel::Kernel>::BLOCKS {
                        return $crate::kernel::with_masks::<$kernel, Self>();
                    }
                )*
                false
            }

            #[inline(always)]
            fn counts(count: usize) -> bool {
                $(
                    if count == <$kernel as $crate::kernel::Kernel>::BLOCKS {
                        return $crate::kernel::with_masks::<$kernel, Self>()
                            && <$kernel as $crate::kernel::Kernel>::COUNTS;
                    }
                )*
                false
            }

            #[inline(always)]
            unsafe fn run<O: $crate::kernel::Operation>(operation: O) -> O::Output {
                #[$features]
                #[inline]
                unsafe fn run<O: $crate::kernel::Operation>(operation: O) -> O::Output {
                    // SAFETY: the caller vouches for the features
                    unsafe { operation.call() }
                }
                // SAFETY: the same condition
                unsafe { run(operation) }
            }

            unsafe fn expand_key(key: &[u8; 16], keys: &mut $crate::schedule::RoundKeys) {
                #[$features]
                unsafe fn expand_key(key: &[u8; 16], keys: &mut $crate::schedule::RoundKeys) {
                    // SAFETY: the caller vouches for the features
                    unsafe { <$schedule as $crate::schedule::Schedule>::expand(key, keys) };
                }
                // SAFETY: the same condition
                unsafe { expand_key(key, keys) };
            }

            unsafe fn expand_key_and_encrypt(
                key: &[u8; 16],
                keys: &mut $crate::schedule::RoundKeys,
                block: &mut [u8; 16],
            ) {
                #[$features]
                unsafe fn expand_key_and_encrypt(
                    key: &[u8; 16],
                    keys: &mut $crate::schedule::RoundKeys,
                    block: *mut u8,
                ) {
                    // SAFETY: the caller vouches for the features and the block
                    unsafe {
                        let block = $crate::span::Span::new(block, block, 1);
                        <$schedule as $crate::schedule::Schedule>::expand_and_encrypt::<$block>(
                            key, keys, block,
                        );
                    }
                }
                // SAFETY: the same condition
                unsafe { expand_key_and_encrypt(key, keys, block.as_mut_ptr()) };
            }

            #[inline(always)]
            unsafe fn crypt_block(
                keys: &$crate::schedule::RoundKeys,
                direction: $crate::round::Direction,
                input: *const u8,
                output: *mut u8,
            ) {
                #[$features]
                #[inline]
                unsafe fn block(
                    keys: &$crate::schedule::RoundKeys,
                    direction: $crate::round::Direction,
                    input: *const u8,
                    output: *mut u8,
                ) {
                    // SAFETY: the same conditions
                    unsafe {
                        let span = $crate::span::Span::new(input, output, 1);
                        <$block as $crate::kernel::Kernel>::crypt(keys, direction, span);
                    }
                }
                // SAFETY: the same conditions
                unsafe { block(keys, direction, input, output) };
            }

            unsafe fn feed<F: $crate::feedback::Feedback>(
                keys: &$crate::schedule::RoundKeys,
                state: &mut [u8; 16],
                input: *const u8,
                output: *mut u8,
                count: usize,
            ) {
                #[$features]
                unsafe fn feed<F: $crate::feedback::Feedback>(
                    keys: &$crate::schedule::RoundKeys,
                    state: &mut [u8; 16],
                    input: *const u8,
                    output: *mut u8,
                    count: usize,
                ) {
                    // SAFETY: the same conditions
                    unsafe {
                        $crate::feedback::feed::<$block, F>(keys, state, input, output, count);
                    }
                }
                // SAFETY: the same conditions
                unsafe { feed::<F>(keys, state, input, output, count) };
            }

            unsafe fn crypt_batch(
                keys: &$crate::schedule::RoundKeys,
                direction: $crate::round::Direction,
                input: *const u8,
                output: *mut u8,
                count: usize,
                masks: Option<&$crate::span::Masks>,
            ) {
                $(
                    #[$features]
                    #[inline(never)]
                    unsafe fn $function<const MASKS: bool>(
                        keys: &$crate::schedule::RoundKeys,
                        direction: $crate::round::Direction,
                        input: *const u8,
                        output: *mut u8,
                        count: usize,
                        masks: Option<&$crate::span::Masks>,
                    ) {
                        $crate::kernel::align_frame();
                        // SAFETY: the same conditions
                        unsafe {
                            let span = $crate::span::Span::new(input, output, count);
                            let span = match masks {
                                Some(masks) if MASKS => span.masked(masks),
                                _ => span,
                            };
                            <$kernel as $crate::kernel::Kernel>::crypt(keys, direction, span);
                        }
                    }
                )*

                const {
                    let mut widest = 0;
                    $(
                        let most = <$kernel as $crate::kernel::Kernel>::BLOCKS;
                        assert!(widest <= most, "the narrowest first");
                        widest = most;
                        assert!($crate::domain::same(
                            <$kernel as $crate::kernel::Kernel>::DOMAIN,
                            <$schedule as $crate::schedule::Schedule>::DOMAIN,
                        ));
                    )*
                    assert!(widest == <$bulk as cipher::typenum::Unsigned>::USIZE);
                    assert!(widest <= $crate::span::Span::MOST);
                    assert!($crate::domain::same(
                        <$block as $crate::kernel::Kernel>::DOMAIN,
                        <$schedule as $crate::schedule::Schedule>::DOMAIN,
                    ));
                }
                if count == 1 {
                    // SAFETY: the same conditions
                    return unsafe { Self::crypt_block(keys, direction, input, output) };
                }
                $(
                    let most = <$kernel as $crate::kernel::Kernel>::BLOCKS;
                    if count <= most {
                        if $crate::kernel::with_masks::<$kernel, Self>() && masks.is_some() {
                            // SAFETY: the CPU has the instructions, and the caller vouches for a
                            // kernel that adds masks and takes as many blocks as there are: that is
                            // the first that takes as many
                            return unsafe {
                                $function::<true>(keys, direction, input, output, count, masks)
                            };
                        }
                        let kernel = $function::<false>;
                        if count >= <$kernel as $crate::kernel::Kernel>::LEAST {
                            // SAFETY: the CPU has the instructions, and the kernel takes as many
                            return unsafe { kernel(keys, direction, input, output, count, None) };
                        }
                        // SAFETY: the CPU has the instructions, and the kernel takes as many as it
                        // takes at most
                        return unsafe {
                            $crate::span::pad(input, output, count, most, |input, output| {
                                kernel(keys, direction, input, output, most, None)
                            })
                        };
                    }
                )*
                unreachable!("more blocks than the widest kernel takes");
            }
        }
    };
}
pub(crate) use define_instruction_set;
