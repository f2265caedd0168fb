//! Questions about this workspace's cipher itself, answered in the same kind of table.

use core::marker::PhantomData;

use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockModeDecrypt, BlockSizeUser, InOut, InOutBuf,
    InnerIvInit, ParBlocks, ParBlocksSizeUser, StreamCipher, StreamCipherCoreWrapper,
    array::{Array, ArraySize},
    consts::{U4, U16, U32, U64, U128},
};
use clap::ValueEnum;
use ctr::{CtrCore, flavors::Ctr128BE};
use sm4::{Backend, Sm4};

use crate::{
    generic::{self, Iv, blocks},
    implementation::Implementation,
    job::{Input, Operation, Prepared, job},
    modes::Mode,
    ours::sm4,
};

/// A question about the cipher.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Study {
    /// Which `ParBlocksSize` serves the generic mode crates best: they do what is left over after
    /// the last whole batch block by block.
    ParBlocks,
    /// Whether the kernels stay whole under a closure that is not inlined.
    Inlining,
}

/// A candidate answer.
struct Candidate {
    name: String,
    backend: Backend,
    prepare: fn(Sm4, &str, Operation, &Input) -> Prepared,
}

impl Study {
    /// The candidates to be compared.
    #[must_use]
    pub fn implementations(self, backend: Backend) -> Vec<Box<dyn Implementation>> {
        let candidate = |name: &str, prepare| -> Box<dyn Implementation> {
            Box::new(Candidate {
                name: name.to_owned(),
                backend,
                prepare,
            })
        };
        match self {
            Self::ParBlocks => vec![
                candidate("Sm4", generic_mode::<Sm4>),
                candidate("4 blocks", at_width::<U4>),
                candidate("16", at_width::<U16>),
                candidate("32", at_width::<U32>),
                candidate("64", at_width::<U64>),
                candidate("128", at_width::<U128>),
            ],
            Self::Inlining => vec![
                candidate("inline", inlined),
                candidate("not inline", outlined),
            ],
        }
    }

    /// Sizes of messages, in bytes.
    #[must_use]
    pub fn sizes(self) -> &'static [usize] {
        match self {
            Self::ParBlocks => &[64, 128, 256, 512, 1024, 1536, 2048, 4096, 16384, 65536],
            Self::Inlining => &[64, 256, 1024, 4096, 16384],
        }
    }

    /// Whether it says something about this.
    #[must_use]
    pub fn includes(self, mode: &Mode, operation: Operation) -> bool {
        match self {
            Self::ParBlocks => matches!(
                (mode.name, operation),
                ("ECB" | "CTR", Operation::Encrypt) | ("CBC", Operation::Decrypt)
            ),
            Self::Inlining => (mode.name, operation) == ("ECB", Operation::Encrypt),
        }
    }
}

impl Implementation for Candidate {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn backend(&self) -> String {
        self.backend.name().to_owned()
    }

    fn prepare(&self, mode: &Mode, operation: Operation, input: &Input) -> Prepared {
        (self.prepare)(sm4(self.backend, &input.key), mode.name, operation, input)
    }
}

/// Just what is asked here: each mode is compiled for each width and each backend.
fn generic_mode<C: generic::Cipher>(
    cipher: C,
    mode: &str,
    operation: Operation,
    input: &Input,
) -> Prepared {
    let iv = Iv::default();
    match (mode, operation) {
        ("ECB", Operation::Encrypt) => Some(job(&input.text, move |b| {
            cipher.encrypt_blocks(blocks(b.output()));
        })),
        ("CBC", Operation::Decrypt) => Some(job(&input.text, move |b| {
            cbc::Decryptor::inner_iv_init(&cipher, &iv).decrypt_blocks(blocks(b.output()));
        })),
        ("CTR", Operation::Encrypt) => Some(job(&input.text, move |b| {
            let core = CtrCore::<_, Ctr128BE>::inner_iv_init(&cipher, &iv);
            StreamCipherCoreWrapper::from_core(core).apply_keystream(b.output());
        })),
        _ => None,
    }
}

fn at_width<N: ArraySize>(
    cipher: Sm4,
    mode: &str,
    operation: Operation,
    input: &Input,
) -> Prepared {
    generic_mode(Width::<N>(cipher, PhantomData), mode, operation, input)
}

/// The cipher as it were if it published this `ParBlocksSize`.
struct Width<N>(Sm4, PhantomData<N>);

impl<N> BlockSizeUser for Width<N> {
    type BlockSize = U16;
}

impl<N: ArraySize> BlockCipherEncrypt for Width<N> {
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.0
            .bulk()
            .encrypt_with_backend(WithWidth::<_, N>(f, PhantomData));
    }
}

impl<N: ArraySize> BlockCipherDecrypt for Width<N> {
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        self.0
            .bulk()
            .decrypt_with_backend(WithWidth::<_, N>(f, PhantomData));
    }
}

/// A closure, or a backend, with another `ParBlocksSize`.
struct WithWidth<T, N>(T, PhantomData<N>);

impl<T, N> BlockSizeUser for WithWidth<T, N> {
    type BlockSize = U16;
}

impl<T, N: ArraySize> ParBlocksSizeUser for WithWidth<T, N> {
    type ParBlocksSize = N;
}

impl<F: BlockCipherEncClosure<BlockSize = U16>, N: ArraySize> BlockCipherEncClosure
    for WithWidth<F, N>
{
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        self.0.call(&WithWidth::<_, N>(backend, PhantomData));
    }
}

impl<F: BlockCipherDecClosure<BlockSize = U16>, N: ArraySize> BlockCipherDecClosure
    for WithWidth<F, N>
{
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        self.0.call(&WithWidth::<_, N>(backend, PhantomData));
    }
}

type Block = Array<u8, U16>;

impl<B: BlockCipherEncBackend<BlockSize = U16>, N: ArraySize> BlockCipherEncBackend
    for WithWidth<&B, N>
{
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
        self.0.encrypt_block(block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.encrypt_tail_blocks(blocks.into_buf());
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.0.encrypt_tail_blocks(blocks);
    }
}

impl<B: BlockCipherDecBackend<BlockSize = U16>, N: ArraySize> BlockCipherDecBackend
    for WithWidth<&B, N>
{
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
        self.0.decrypt_block(block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.decrypt_tail_blocks(blocks.into_buf());
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.0.decrypt_tail_blocks(blocks);
    }
}

fn inlined(cipher: Sm4, _: &str, _: Operation, input: &Input) -> Prepared {
    Some(job(&input.text, move |b| {
        cipher
            .bulk()
            .encrypt_with_backend(Inlined(blocks(b.output())));
    }))
}

fn outlined(cipher: Sm4, _: &str, _: Operation, input: &Input) -> Prepared {
    Some(job(&input.text, move |b| {
        cipher
            .bulk()
            .encrypt_with_backend(Outlined(blocks(b.output())));
    }))
}

struct Inlined<'a>(&'a mut [Block]);
struct Outlined<'a>(&'a mut [Block]);

impl BlockSizeUser for Inlined<'_> {
    type BlockSize = U16;
}

impl BlockSizeUser for Outlined<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Inlined<'_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        each_batch(self.0, backend);
    }
}

impl BlockCipherEncClosure for Outlined<'_> {
    #[inline(never)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        each_batch(self.0, backend);
    }
}

#[inline(always)]
fn each_batch<B: BlockCipherEncBackend<BlockSize = U16>>(blocks: &mut [Block], backend: &B) {
    let (batches, rest) = Array::<Block, B::ParBlocksSize>::slice_as_chunks_mut(blocks);
    for batch in batches {
        backend.encrypt_par_blocks(batch.into());
    }
    backend.encrypt_tail_blocks(rest.into());
}
