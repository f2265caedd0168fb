//! From a closure that wants a mode's backend to the cipher's backend.

use core::marker::PhantomData;

use cipher::{
    BlockCipherEncBackend, BlockModeDecBackend, BlockModeDecClosure, BlockModeEncBackend,
    BlockModeEncClosure, BlockSizeUser, InOut, InOutBuf, ParBlocks, ParBlocksSizeUser,
    consts::{U1, U16},
};
use sm4::{BulkBackend, BulkClosure, Sm4};

use crate::{
    batch::{self, Direction, Mode},
    block::Block,
};

/// A mode whose blocks have to wait for each other.
pub(crate) trait Serial {
    fn block<B: BlockCipherEncBackend<BlockSize = U16>>(
        &mut self,
        backend: &B,
        block: InOut<'_, '_, Block>,
    );
}

/// Runs a serial mode over all blocks.
#[inline(always)]
pub(crate) fn run_serially<S: Serial>(cipher: &Sm4, mode: &mut S, blocks: InOutBuf<'_, '_, Block>) {
    lend_serial(cipher, mode, AllBlocks(blocks));
}

/// Gives the closure a backend that runs the serial mode.
#[inline(always)]
pub(crate) fn lend_serial<S: Serial>(
    cipher: &Sm4,
    mode: &mut S,
    f: impl BlockModeEncClosure<BlockSize = U16>,
) {
    cipher.bulk().run(Lend(mode, Serially(f)));
}

/// Gives the closure a backend that decrypts, by direction `D` of the cipher (CFB decrypts by
/// encryption).
#[inline(always)]
pub(crate) fn lend_parallel<D: Direction, M: Mode>(
    cipher: &Sm4,
    mode: &mut M,
    f: impl BlockModeDecClosure<BlockSize = U16>,
) {
    let parallel = Parallel(f, PhantomData::<D>);
    cipher.bulk().run(Lend(mode, parallel));
}

/// All blocks, one by one.
struct AllBlocks<'i, 'o>(InOutBuf<'i, 'o, Block>);

impl BlockSizeUser for AllBlocks<'_, '_> {
    type BlockSize = U16;
}

impl BlockModeEncClosure for AllBlocks<'_, '_> {
    #[inline(always)]
    fn call<B: BlockModeEncBackend<BlockSize = U16>>(self, backend: &mut B) {
        for block in self.0 {
            backend.encrypt_block(block);
        }
    }
}

/// A mode's closure on its way to the cipher's backend.
struct Lend<'a, M, F>(&'a mut M, F);

struct Serially<F>(F);

struct Parallel<F, D>(F, PhantomData<D>);

impl<M, F> BlockSizeUser for Lend<'_, M, F> {
    type BlockSize = U16;
}

impl<M: Serial, F: BlockModeEncClosure<BlockSize = U16>> BulkClosure for Lend<'_, M, Serially<F>> {
    #[inline(always)]
    fn call<B: BulkBackend>(self, backend: &B) {
        self.1.0.call(&mut SerialBackend {
            mode: self.0,
            backend,
        });
    }
}

impl<M: Mode, F: BlockModeDecClosure<BlockSize = U16>, D: Direction> BulkClosure
    for Lend<'_, M, Parallel<F, D>>
{
    #[inline(always)]
    fn call<B: BulkBackend>(self, backend: &B) {
        let direction = PhantomData::<D>;
        self.1.0.call(&mut ParallelBackend {
            mode: self.0,
            backend,
            direction,
        });
    }
}

struct SerialBackend<'a, S, B> {
    mode: &'a mut S,
    backend: &'a B,
}

impl<S, B> BlockSizeUser for SerialBackend<'_, S, B> {
    type BlockSize = U16;
}

impl<S, B> ParBlocksSizeUser for SerialBackend<'_, S, B> {
    type ParBlocksSize = U1;
}

impl<S: Serial, B: BlockCipherEncBackend<BlockSize = U16>> BlockModeEncBackend
    for SerialBackend<'_, S, B>
{
    #[inline(always)]
    fn encrypt_block(&mut self, block: InOut<'_, '_, Block>) {
        self.mode.block(self.backend, block);
    }
}

struct ParallelBackend<'a, M, B, D> {
    mode: &'a mut M,
    backend: &'a B,
    direction: PhantomData<D>,
}

impl<M, B, D> BlockSizeUser for ParallelBackend<'_, M, B, D> {
    type BlockSize = U16;
}

impl<M, B: ParBlocksSizeUser, D> ParBlocksSizeUser for ParallelBackend<'_, M, B, D> {
    type ParBlocksSize = B::ParBlocksSize;
}

impl<M: Mode, B: BulkBackend, D: Direction> ParallelBackend<'_, M, B, D> {
    #[inline(always)]
    fn run(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        batch::run::<D, B, M>(self.backend, self.mode, blocks, batch::no_end());
    }
}

impl<M: Mode, B: BulkBackend, D: Direction> BlockModeDecBackend for ParallelBackend<'_, M, B, D> {
    #[inline(always)]
    fn decrypt_block(&mut self, block: InOut<'_, '_, Block>) {
        let (input, output) = (*block.get_in(), block.into_out());
        *output = input;
        self.run(InOutBuf::from_mut(output));
    }

    #[inline(always)]
    fn decrypt_par_blocks(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.run(blocks.into_buf());
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        self.run(blocks);
    }
}
