//! The door to the other crates: `cipher`'s backend traits over an instruction set.

use core::{marker::PhantomData, ptr};

use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockSizeUser, InOut, InOutBuf, ParBlocks, ParBlocksSizeUser,
    array::{Array, ArraySize},
    consts::U16,
    typenum::Unsigned,
};

use crate::{
    CounterBlocks,
    backend::Visitor,
    feedback::Feedback,
    kernel::{InstructionSet, Operation, crypt_blocks},
    masking::{self, BulkBackend, BulkClosure, Masking},
    round::Direction,
    schedule::RoundKeys,
    span::Masks,
};

/// How many blocks callers are asked to hand over at once.
pub(crate) trait Width {
    type Blocks<I: InstructionSet>: ArraySize;
}

/// For callers that do what is left over one by one, as the generic mode crates do.
pub(crate) enum Moderate {}

impl Width for Moderate {
    type Blocks<I: InstructionSet> = I::ParBlocks;
}

/// For callers that hand over what is left in one piece.
pub(crate) enum Widest {}

impl Width for Widest {
    type Blocks<I: InstructionSet> = I::BulkBlocks;
}

/// A key with an instruction set that the CPU has: that is the invariant which all `unsafe` blocks
/// here rest on. Values are made only where a [`Call`] is visited, whose callers vouch for it.
pub(crate) struct Engine<'a, I, W> {
    keys: &'a RoundKeys,
    instruction_set: PhantomData<(I, W)>,
}

impl<I, W> BlockSizeUser for Engine<'_, I, W> {
    type BlockSize = U16;
}

impl<I: InstructionSet, W: Width> ParBlocksSizeUser for Engine<'_, I, W> {
    type ParBlocksSize = W::Blocks<I>;
}

impl<I: InstructionSet, W: Width> Engine<'_, I, W> {
    #[inline(always)]
    fn block(&self, direction: Direction, block: InOut<'_, '_, Block<Self>>) {
        let (input, output) = block.into_raw();
        // SAFETY: the CPU has the instructions; `InOut` vouches for the memory, and that input and
        // output are the same or do not overlap
        unsafe { I::crypt_block(self.keys, direction, input.cast(), output.cast()) };
    }

    #[inline(always)]
    fn par_blocks(&self, direction: Direction, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        let (input, output) = blocks.into_raw();
        // SAFETY: the CPU has the instructions; `InOut` vouches for the memory, and that input and
        // output are the same or do not overlap
        unsafe {
            let (input, output) = (input.cast(), output.cast());
            let count = W::Blocks::<I>::USIZE;
            I::crypt_batch(self.keys, direction, input, output, count, None);
        }
    }

    #[inline(always)]
    fn tail(&self, direction: Direction, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let count = blocks.len();
        let (input, output) = blocks.into_raw();
        // SAFETY: the CPU has the instructions; `InOutBuf` vouches for the memory, and that input
        // and output are the same or do not overlap
        unsafe { crypt_blocks::<I>(self.keys, direction, input.cast(), output.cast(), count) };
    }
}

impl<I: InstructionSet, W: Width> BlockCipherEncBackend for Engine<'_, I, W> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(Direction::Encrypt, block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.par_blocks(Direction::Encrypt, blocks);
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.tail(Direction::Encrypt, blocks);
    }
}

impl<I: InstructionSet, W: Width> BlockCipherDecBackend for Engine<'_, I, W> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(Direction::Decrypt, block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.par_blocks(Direction::Decrypt, blocks);
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.tail(Direction::Decrypt, blocks);
    }
}

impl<I: InstructionSet> Engine<'_, I, Widest> {
    #[inline(always)]
    fn masked(
        &self,
        direction: Direction,
        masking: Masking,
        masks: &mut [Block<Self>],
        blocks: InOutBuf<'_, '_, Block<Self>>,
    ) {
        let count = blocks.len();
        if !I::adds_masks(count) {
            return masking::masked(masking, masks, blocks, |blocks| {
                self.tail(direction, blocks);
            });
        }
        assert_eq!(masks.len(), count);
        let masks = masks.as_ptr().cast();
        let (input, output) = blocks.into_raw();
        let (input, output) = (input.cast(), output.cast());
        let (input, before, after) = match masking {
            Masking::KeyStream => (masks, ptr::null(), input),
            Masking::Output => (input, ptr::null(), masks),
            Masking::Both => (input, masks, masks),
        };
        let masks = Masks {
            before,
            after,
            ..Masks::NONE
        };
        // SAFETY: the CPU has the instructions, and a kernel adds masks; `InOutBuf` vouches for
        // input and output, and the masks, which are borrowed mutably, overlap with neither; there are
        // `count` of both
        unsafe { I::crypt_batch(self.keys, direction, input, output, count, Some(&masks)) };
    }
}

impl<I: InstructionSet> BulkBackend for Engine<'_, I, Widest> {
    #[inline(always)]
    fn encrypt_masked(
        &self,
        masking: Masking,
        masks: &mut [Block<Self>],
        blocks: InOutBuf<'_, '_, Block<Self>>,
    ) {
        self.masked(Direction::Encrypt, masking, masks, blocks);
    }

    #[inline(always)]
    fn add_key_stream(
        &self,
        counters: &CounterBlocks,
        blocks: InOutBuf<'_, '_, Block<Self>>,
    ) -> bool {
        let count = blocks.len();
        if !I::counts(count) {
            return false;
        }
        let (input, output) = blocks.into_raw();
        let (input, output) = (input.cast(), output.cast());
        let masks = Masks {
            after: input,
            counters,
            ..Masks::NONE
        };
        // SAFETY: the CPU has the instructions, and a kernel takes counter blocks and adds masks; `InOutBuf` vouches for input and output, of `count` blocks each
        unsafe {
            let direction = Direction::Encrypt;
            I::crypt_batch(self.keys, direction, input, output, count, Some(&masks));
        }
        true
    }

    #[inline(always)]
    fn decrypt_masked(
        &self,
        masking: Masking,
        masks: &mut [Block<Self>],
        blocks: InOutBuf<'_, '_, Block<Self>>,
    ) {
        self.masked(Direction::Decrypt, masking, masks, blocks);
    }
}

/// A closure of one kind or another, which is called with an engine.
pub(crate) trait Closure {
    type Width: Width;

    /// Implementations are `#[inline(always)]`.
    fn call<I: InstructionSet>(self, engine: &Engine<'_, I, Self::Width>);
}

/// One that encrypts.
pub(crate) struct Encrypt<F, W>(F, PhantomData<W>);

/// One that decrypts.
pub(crate) struct Decrypt<F, W>(F, PhantomData<W>);

/// One that does the one or the other.
pub(crate) struct EitherDirection<F>(F);

impl<F, W> Encrypt<F, W> {
    #[inline(always)]
    pub(crate) fn new(closure: F) -> Self {
        Self(closure, PhantomData)
    }
}

impl<F, W> Decrypt<F, W> {
    #[inline(always)]
    pub(crate) fn new(closure: F) -> Self {
        Self(closure, PhantomData)
    }
}

impl<F> EitherDirection<F> {
    #[inline(always)]
    pub(crate) fn new(closure: F) -> Self {
        Self(closure)
    }
}

impl<F: BlockCipherEncClosure<BlockSize = U16>, W: Width> Closure for Encrypt<F, W> {
    type Width = W;

    #[inline(always)]
    fn call<I: InstructionSet>(self, engine: &Engine<'_, I, W>) {
        self.0.call(engine);
    }
}

impl<F: BlockCipherDecClosure<BlockSize = U16>, W: Width> Closure for Decrypt<F, W> {
    type Width = W;

    #[inline(always)]
    fn call<I: InstructionSet>(self, engine: &Engine<'_, I, W>) {
        self.0.call(engine);
    }
}

impl<F: BulkClosure> Closure for EitherDirection<F> {
    type Width = Widest;

    #[inline(always)]
    fn call<I: InstructionSet>(self, engine: &Engine<'_, I, Widest>) {
        self.0.call(engine);
    }
}

/// A key and a closure on their way to the instruction set.
pub(crate) struct Call<'a, C> {
    keys: &'a RoundKeys,
    closure: C,
}

impl<'a, C> Call<'a, C> {
    #[inline(always)]
    pub(crate) fn new(keys: &'a RoundKeys, closure: C) -> Self {
        Self { keys, closure }
    }
}

impl<C: Closure> Visitor for Call<'_, C> {
    type Output = ();

    #[inline(always)]
    unsafe fn visit<I: InstructionSet>(self) {
        let engine = Engine {
            keys: self.keys,
            instruction_set: PhantomData::<(I, C::Width)>,
        };
        // SAFETY: the CPU has the instruction set
        unsafe { I::run(WithFeatures(engine, self.closure)) };
    }
}

/// The closure is compiled with the instruction set's target features where it is inlined here.
struct WithFeatures<'a, I, C: Closure>(Engine<'a, I, C::Width>, C);

impl<I: InstructionSet, C: Closure> Operation for WithFeatures<'_, I, C> {
    type Output = ();

    #[inline(always)]
    unsafe fn call(self) {
        let WithFeatures(engine, closure) = self;
        closure.call(&engine);
    }
}

/// Blocks for a mode with feedback, on their way to the instruction set.
///
/// Values vouch for their pointers: `16 * count` bytes are readable at `input` and, if the mode has
/// output, writable at `output`; the two are the same or do not overlap.
pub(crate) struct Feed<'a, F> {
    keys: &'a RoundKeys,
    state: &'a mut [u8; 16],
    input: *const u8,
    output: *mut u8,
    count: usize,
    mode: PhantomData<F>,
}

impl<'a, F: Feedback> Feed<'a, F> {
    /// For modes without output.
    #[inline(always)]
    pub(crate) fn input(
        keys: &'a RoundKeys,
        state: &'a mut [u8; 16],
        blocks: &'a [Array<u8, U16>],
    ) -> Self {
        const { assert!(!F::OUTPUT) }
        Self {
            keys,
            state,
            input: blocks.as_ptr().cast(),
            output: ptr::null_mut(),
            count: blocks.len(),
            mode: PhantomData,
        }
    }

    /// For modes with output.
    #[inline(always)]
    pub(crate) fn inout(
        keys: &'a RoundKeys,
        state: &'a mut [u8; 16],
        blocks: InOutBuf<'a, 'a, Array<u8, U16>>,
    ) -> Self {
        let count = blocks.len();
        let (input, output) = blocks.into_raw();
        Self {
            keys,
            state,
            input: input.cast(),
            output: output.cast(),
            count,
            mode: PhantomData,
        }
    }
}

impl<F: Feedback> Visitor for Feed<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn visit<I: InstructionSet>(self) {
        // SAFETY: the CPU has the instruction set; the value vouches for the memory
        unsafe { I::feed::<F>(self.keys, self.state, self.input, self.output, self.count) };
    }
}
