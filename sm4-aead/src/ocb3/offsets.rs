//! The offsets of OCB3: which of them are added to which block.
//!
//! Offset_i is Offset_(i−1) + L_ntz(i), where ntz(i) is how often 2 divides i. Within 16 blocks that
//! is the same for all runs but for the last block, so that the offsets of a run are a base plus a
//! table, and none waits for another.

use sm4::cipher::array::Array;
use sm4_modes::shared::{self, Block, Cmac, double, powers, sum, xor_to};

/// Blocks in a run.
const RUN: usize = 16;

/// How many L_i are kept; further ones, for blocks from 2^32 on, are computed.
const KEPT: usize = 32;

/// The L of a key.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) l_star: Block,
    pub(super) l_dollar: Block,
    l: [Block; KEPT],
    /// The sums of the first 1 to 15 L_ntz(i), and the last one once more.
    run: [Block; RUN],
}

impl Table {
    pub(super) fn new(l_star: Block) -> Self {
        let l_dollar = double::<Cmac>(&l_star);
        let mut l = [Block::default(); KEPT];
        powers::<Cmac>(&double::<Cmac>(&l_dollar), &mut l);
        let mut run = [l[0]; RUN];
        for i in 1..RUN - 1 {
            run[i] = sum(&run[i - 1], &l[(i + 1).trailing_zeros() as usize]);
        }
        run[RUN - 1] = run[RUN - 2];
        Self {
            l_star,
            l_dollar,
            l,
            run,
        }
    }

    /// L_ntz(index)
    #[inline(always)]
    fn l(&self, index: u64) -> Block {
        let i = index.trailing_zeros() as usize;
        if let Some(l) = self.l.get(i) {
            return *l;
        }
        let mut l = self.l[KEPT - 1];
        for _ in KEPT..=i {
            l = double::<Cmac>(&l);
        }
        l
    }
}

/// The offsets of a message, one block after the other.
#[derive(Clone)]
pub(super) struct Offsets {
    /// The offset before the run.
    base: Block,
    /// The blocks so far.
    index: u64,
}

impl Offsets {
    /// Begins behind Offset_0.
    #[inline(always)]
    pub(super) fn new(offset: Block) -> Self {
        Self {
            base: offset,
            index: 0,
        }
    }

    #[inline(always)]
    fn position(&self) -> usize {
        #[allow(clippy::cast_possible_truncation, reason = "less than 16")]
        let position = (self.index % RUN as u64) as usize;
        position
    }

    /// The offset of the last block so far.
    #[inline(always)]
    pub(super) fn current(&self, table: &Table) -> Block {
        match self.position() {
            0 => self.base,
            position => sum(&self.base, &table.run[position - 1]),
        }
    }

    /// The offset of the next block.
    #[inline(always)]
    fn next(&mut self, table: &Table) -> Block {
        let position = self.position();
        self.index += 1;
        if position + 1 < RUN {
            return sum(&self.base, &table.run[position]);
        }
        self.base = sum(&self.base, &sum(&table.run[RUN - 1], &table.l(self.index)));
        self.base
    }

    /// Writes the offsets of the next blocks.
    #[inline(always)]
    pub(super) fn fill(&mut self, table: &Table, offsets: &mut [Block]) {
        self.write(table, None, offsets);
    }

    /// Writes the sums of the next blocks and their offsets.
    #[inline(always)]
    pub(super) fn add(&mut self, table: &Table, blocks: &[Block], sums: &mut [Block]) {
        assert_eq!(blocks.len(), sums.len());
        self.write(table, Some(blocks), sums);
    }

    #[inline(always)]
    fn write(&mut self, table: &Table, blocks: Option<&[Block]>, sums: &mut [Block]) {
        const ZEROS: [Block; RUN] = [Array([0; 16]); RUN];
        let to_run = ((RUN - self.position()) % RUN).min(sums.len());
        let (sum_first, sums) = sums.split_at_mut(to_run);
        let (sum_runs, sum_last) = sums.as_chunks_mut::<RUN>();
        let (first, blocks) = blocks.map(|blocks| blocks.split_at(to_run)).unzip();
        let (runs, last) = blocks.map(<[Block]>::as_chunks::<RUN>).unzip();

        self.one_by_one(table, first, sum_first);
        let (table_quads, _) = table.run.as_chunks();
        // Not borrowed, or they would be written to memory in every run
        let Self {
            mut base,
            mut index,
        } = *self;
        for (n, sum) in sum_runs.iter_mut().enumerate() {
            let (quads, _) = runs.map_or(&ZEROS, |runs| &runs[n]).as_chunks();
            let (sum_quads, _) = sum.as_chunks_mut();
            for i in 0..RUN / 4 {
                xor_to(&mut sum_quads[i], &quads[i], &table_quads[i], &base);
            }
            index += RUN as u64;
            let l = table.l(index);
            sum[RUN - 1] = shared::sum(&sum[RUN - 1], &l);
            base = shared::sum(&base, &shared::sum(&table.run[RUN - 1], &l));
        }
        *self = Self { base, index };
        self.one_by_one(table, last, sum_last);
    }

    #[inline(always)]
    fn one_by_one(&mut self, table: &Table, blocks: Option<&[Block]>, sums: &mut [Block]) {
        for (i, sum) in sums.iter_mut().enumerate() {
            let offset = self.next(table);
            *sum = blocks.map_or(offset, |blocks| shared::sum(&blocks[i], &offset));
        }
    }
}

#[cfg(test)]
mod tests {
    use core::array;

    use super::*;

    /// One after the other, as the standard has it, for runs that begin anywhere.
    #[test]
    fn one_by_one() {
        let table = Table::new(Block::from_fn(|i| i.to_le_bytes()[0].wrapping_mul(77)));
        let first = Block::from_fn(|i| i.to_le_bytes()[0].wrapping_mul(31));
        for step in [1, 2, 7, 15, 16, 17, 33, 64, 128] {
            let mut expected = first;
            let mut offsets = Offsets::new(first);
            let mut index = 0_u64;
            for _ in 0..300_usize.div_ceil(step) {
                let blocks: [Block; 128] = array::from_fn(|i| [i.to_le_bytes()[0]; 16].into());
                let mut sums = [Block::default(); 128];
                let (mut before, mut filled) = (offsets.clone(), sums);
                offsets.add(&table, &blocks[..step], &mut sums[..step]);
                for (block, added) in blocks[..step].iter().zip(&sums) {
                    index += 1;
                    expected = sum(&expected, &table.l[index.trailing_zeros() as usize]);
                    assert_eq!(*added, sum(block, &expected), "{step} {index}");
                }
                assert_eq!(offsets.current(&table), expected, "{step} {index}");
                before.fill(&table, &mut filled[..step]);
                for (i, (sum, offset)) in sums[..step].iter().zip(&filled).enumerate() {
                    assert_eq!(*offset, shared::sum(sum, &blocks[i]), "{step} {i}");
                }
            }
        }
    }

    #[test]
    fn far_blocks() {
        let table = Table::new(Block::from([0xa5; 16]));
        assert_eq!(table.l(1 << 31), table.l[31]);
        assert_eq!(table.l(1 << 32), double::<Cmac>(&table.l[31]));
        assert_eq!(
            table.l(3 << 33),
            double::<Cmac>(&double::<Cmac>(&table.l[31]))
        );
    }
}
