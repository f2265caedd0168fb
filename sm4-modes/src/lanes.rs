//! The one loop of all chains that run side by side.
//!
//! One chain, in which every block has to wait for the one before, leaves most of a wide kernel
//! idle; so every chain gets a lane of its own, and when it has come to its end, another chain gets
//! the lane. The last one that is left goes on alone, with its state in registers.

use cipher::{
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, consts::U16,
};
use sm4::{Bulk, Sm4};

use crate::block::{Aligned, Block, FEW};

/// The most lanes.
const MANY: usize = 128;

/// What happens between two calls of the cipher in one chain.
pub(crate) trait Lane {
    /// Does what is to do with an encrypted state, if it is not the first one, and makes of it what
    /// is to be encrypted next. If there is nothing, the chain has come to its end.
    fn step(&mut self, state: &mut Block) -> bool;

    /// Does all the steps that are left. The state is encrypted, unless no step has been taken.
    fn finish(&mut self, cipher: Bulk<'_>, state: &mut Block);
}

impl<L: Lane> Lane for &mut L {
    #[inline(always)]
    fn step(&mut self, state: &mut Block) -> bool {
        L::step(self, state)
    }

    #[inline(always)]
    fn finish(&mut self, cipher: Bulk<'_>, state: &mut Block) {
        L::finish(self, cipher, state);
    }
}

/// Runs chains to their ends; there are not more than `count`. With each comes the place of its first
/// state, which becomes that of the last.
pub(crate) fn run<'a, L: Lane>(
    cipher: &Sm4,
    count: usize,
    chains: impl Iterator<Item = (L, &'a mut Block)>,
) {
    let cipher = cipher.bulk();
    if count <= 1 {
        return chains.for_each(|(mut lane, state)| lane.finish(cipher, state));
    }
    cipher.encrypt_with_backend(Run {
        cipher,
        count,
        chains,
    });
}

struct Run<'k, C> {
    cipher: Bulk<'k>,
    count: usize,
    chains: C,
}

impl<C> BlockSizeUser for Run<'_, C> {
    type BlockSize = U16;
}

impl<'a, L: Lane, C: Iterator<Item = (L, &'a mut Block)>> BlockCipherEncClosure for Run<'_, C> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        // What works on them is compiled once, not for each size.
        let (mut few, mut many);
        let (lanes, states): (&mut [_], &mut [_]) = if self.count <= FEW {
            few = ([const { None }; FEW], Aligned([Block::default(); FEW]));
            (&mut few.0, &mut few.1.0)
        } else {
            many = ([const { None }; MANY], Aligned([Block::default(); MANY]));
            (&mut many.0, &mut many.1.0)
        };
        self.run(backend, lanes, states);
    }
}

impl<'a, L: Lane, C: Iterator<Item = (L, &'a mut Block)>> Run<'_, C> {
    /// The chains that have a lane come first, in any order.
    #[inline(always)]
    fn run<B: BlockCipherEncBackend<BlockSize = U16>>(
        mut self,
        backend: &B,
        lanes: &mut [Option<C::Item>],
        states: &mut [Block],
    ) {
        let mut busy = 0;
        for (lane, state) in lanes.iter_mut().zip(&mut *states) {
            *lane = self.chains.next();
            let Some((_, first)) = lane else {
                break;
            };
            *state = **first;
            busy += 1;
        }
        while busy > 1 {
            let mut i = 0;
            while i < busy {
                if let Some((lane, last)) = &mut lanes[i] {
                    if lane.step(&mut states[i]) {
                        i += 1;
                        continue;
                    }
                    **last = states[i];
                }
                lanes[i] = self.chains.next();
                if let Some((_, first)) = &lanes[i] {
                    states[i] = **first;
                } else {
                    busy -= 1;
                    lanes[i] = lanes[busy].take();
                    states[i] = states[busy];
                }
            }
            backend.encrypt_tail_blocks((&mut states[..busy]).into());
        }
        if let Some((lane, last)) = &mut lanes[0] {
            lane.finish(self.cipher, &mut states[0]);
            **last = states[0];
        }
    }
}
