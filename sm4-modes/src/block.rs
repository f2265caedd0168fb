//! Blocks of 16 bytes, sums of many of them, and buffers for them.

pub use sm4::xor;

/// 16 bytes.
pub type Block = cipher::Block<sm4::Sm4>;

/// Four blocks, 64 bytes: what loops work on, so that the compiler makes vectors of it.
pub type Quad = [Block; 4];

/// A buffer in which no vector lies in two cache lines.
#[derive(Debug)]
#[repr(align(64))]
pub struct Aligned<T>(pub T);

/// So many blocks don't pay for a buffer of the widest kernel's size, which takes as long to clear
/// as a block to encrypt.
pub const FEW: usize = 16;

/// Up to 16 bytes in a block, with zeros behind them.
#[inline(always)]
pub fn padded(bytes: &[u8]) -> Block {
    let mut block = Block::default();
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

/// The sum of two blocks.
#[inline(always)]
#[must_use]
pub fn sum(a: &Block, b: &Block) -> Block {
    let mut sum = Block::default();
    store::<8>(xor_elements(elements(a), elements(b)), &mut sum);
    sum
}

/// Bytes as elements of 16 bits. Loops over these become vectors with every instruction set. Of
/// blocks as long integers the compiler makes general registers; bytes it takes apart when it has
/// 256 bits, and words of 64 bits it puts in another order when it has 512.
#[inline(always)]
fn elements<const N: usize>(bytes: &[u8]) -> [u16; N] {
    let mut elements = [0; N];
    let (pairs, _) = bytes.as_chunks();
    for (element, pair) in elements.iter_mut().zip(pairs) {
        *element = u16::from_ne_bytes(*pair);
    }
    elements
}

/// Undoes [`elements`].
#[inline(always)]
fn store<const N: usize>(elements: [u16; N], bytes: &mut [u8]) {
    let (pairs, _) = bytes.as_chunks_mut();
    for (pair, element) in pairs.iter_mut().zip(elements) {
        *pair = element.to_ne_bytes();
    }
}

#[inline(always)]
fn xor_elements<const N: usize>(mut a: [u16; N], b: [u16; N]) -> [u16; N] {
    for i in 0..N {
        a[i] ^= b[i];
    }
    a
}

/// Elements of a quad.
type QuadElements = [u16; 32];

#[inline(always)]
fn of_quad(quad: &Quad) -> QuadElements {
    elements(Block::slice_as_flattened(quad))
}

/// Writes the sum of two quads, and to each block one other.
#[inline(always)]
pub fn xor_to(sum: &mut Quad, quad: &Quad, other: &Quad, each: &Block) {
    let two = xor_elements(of_quad(quad), of_quad(other));
    let three = xor_elements(two, of_quad(&[*each; 4]));
    store(three, Block::slice_as_flattened_mut(sum));
}

/// The sum of all blocks.
#[inline(always)]
#[must_use]
pub fn xor_all(blocks: &[Block]) -> Block {
    let (quads, rest) = blocks.as_chunks();
    let mut sums = [0; 32];
    for quad in quads {
        sums = xor_elements(sums, of_quad(quad));
    }
    let mut quad = Quad::default();
    store(sums, Block::slice_as_flattened_mut(&mut quad));
    let mut sum = Block::default();
    for block in quad.iter().chain(rest) {
        sum = self::sum(&sum, block);
    }
    sum
}
