//! Zvksed: `VSM4R` and `VSM4K` do four rounds of the cipher and of the key schedule on every four
//! words of a vector, however long vectors are.
//!
//! The compiler knows nothing of vector registers, so a kernel is one piece of assembly: a loop
//! that takes as many blocks as four registers hold.

use core::arch::asm;

use crate::{
    domain::Domain,
    feedback::Whole,
    kernel::Kernel,
    round::Direction,
    schedule::{FK, RoundKeys, Schedule},
    span::Span,
};

/// So many blocks at once.
pub(crate) enum Vectors<const BLOCKS: usize> {}

impl Whole for Vectors<1> {}

impl<const BLOCKS: usize> Kernel for Vectors<BLOCKS> {
    const BLOCKS: usize = BLOCKS;
    const LEAST: usize = 1;
    const DOMAIN: Option<Domain> = None;

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        // SAFETY: the CPU has the instructions. The assembly reads the round keys and the input and
        // writes the output, each as long as the caller vouches for, byte by byte or in words where
        // alignment is known.
        unsafe {
            asm!(
                ".option push",
                ".option arch, +v, +zvkb, +zvksed",
                // The round keys, four of them in each of v8–v15.
                "vsetivli zero, 4, e32, m1, ta, ma",
                "vle32.v v8, ({keys})",
                "addi {keys}, {keys}, 16",
                "vle32.v v9, ({keys})",
                "addi {keys}, {keys}, 16",
                "vle32.v v10, ({keys})",
                "addi {keys}, {keys}, 16",
                "vle32.v v11, ({keys})",
                "addi {keys}, {keys}, 16",
                "vle32.v v12, ({keys})",
                "addi {keys}, {keys}, 16",
                "vle32.v v13, ({keys})",
                "addi {keys}, {keys}, 16",
                "vle32.v v14, ({keys})",
                "addi {keys}, {keys}, 16",
                "vle32.v v15, ({keys})",
                // A mask of every other element.
                "vsetvli {len}, zero, e8, m1, ta, ma",
                "li {len}, 0xaa",
                "vmv.v.x v0, {len}",
                "2:",
                // As many bytes as there are, but not more than four registers hold: whole blocks.
                "vsetvli {len}, zero, e8, m4, ta, ma",
                "bltu {len}, {left}, 3f",
                "mv {len}, {left}",
                "3:",
                "srli {words}, {len}, 2",
                "vsetvli zero, {len}, e8, m4, ta, ma",
                "vle8.v v16, ({input})",
                "vsetvli zero, {words}, e32, m4, ta, ma",
                "vrev8.v v16, v16",
                "vsm4r.vs v16, v8",
                "vsm4r.vs v16, v9",
                "vsm4r.vs v16, v10",
                "vsm4r.vs v16, v11",
                "vsm4r.vs v16, v12",
                "vsm4r.vs v16, v13",
                "vsm4r.vs v16, v14",
                "vsm4r.vs v16, v15",
                // The bytes of every half of a block in reverse, then the halves change places.
                "srli {words}, {words}, 1",
                "vsetvli zero, {words}, e64, m4, ta, mu",
                "vrev8.v v16, v16",
                "vslidedown.vi v20, v16, 1",
                "vslideup.vi v20, v16, 1, v0.t",
                "vsetvli zero, {len}, e8, m4, ta, ma",
                "vse8.v v20, ({output})",
                "add {input}, {input}, {len}",
                "add {output}, {output}, {len}",
                "sub {left}, {left}, {len}",
                "bnez {left}, 2b",
                ".option pop",
                keys = inout(reg) keys.fours(direction) => _,
                input = inout(reg) span.input(0, 16) => _,
                output = inout(reg) span.output(0, 16) => _,
                left = inout(reg) 16 * span.count() => _,
                len = out(reg) _,
                words = out(reg) _,
                out("v0") _,
                out("v8") _, out("v9") _, out("v10") _, out("v11") _,
                out("v12") _, out("v13") _, out("v14") _, out("v15") _,
                out("v16") _, out("v17") _, out("v18") _, out("v19") _,
                out("v20") _, out("v21") _, out("v22") _, out("v23") _,
                options(nostack),
            );
        }
    }
}

impl Schedule for Vectors<1> {
    const DOMAIN: Option<Domain> = None;

    #[inline(always)]
    unsafe fn expand(key: &[u8; 16], keys: &mut RoundKeys) {
        let mut fours = [[0_u32; 4]; 8];
        // SAFETY: the CPU has the instructions. The assembly reads the key byte by byte and FK in
        // words, and writes all the words of `fours`.
        unsafe {
            asm!(
                ".option push",
                ".option arch, +v, +zvkb, +zvksed",
                "vsetivli zero, 16, e8, m1, ta, ma",
                "vle8.v v8, ({key})",
                "vsetivli zero, 4, e32, m1, ta, ma",
                "vle32.v v9, ({fk})",
                "vrev8.v v8, v8",
                "vxor.vv v8, v8, v9",
                "vsm4k.vi v8, v8, 0",
                "vse32.v v8, ({fours})",
                "addi {fours}, {fours}, 16",
                "vsm4k.vi v8, v8, 1",
                "vse32.v v8, ({fours})",
                "addi {fours}, {fours}, 16",
                "vsm4k.vi v8, v8, 2",
                "vse32.v v8, ({fours})",
                "addi {fours}, {fours}, 16",
                "vsm4k.vi v8, v8, 3",
                "vse32.v v8, ({fours})",
                "addi {fours}, {fours}, 16",
                "vsm4k.vi v8, v8, 4",
                "vse32.v v8, ({fours})",
                "addi {fours}, {fours}, 16",
                "vsm4k.vi v8, v8, 5",
                "vse32.v v8, ({fours})",
                "addi {fours}, {fours}, 16",
                "vsm4k.vi v8, v8, 6",
                "vse32.v v8, ({fours})",
                "addi {fours}, {fours}, 16",
                "vsm4k.vi v8, v8, 7",
                "vse32.v v8, ({fours})",
                ".option pop",
                key = in(reg) key,
                fk = in(reg) &FK,
                fours = inout(reg) &mut fours => _,
                out("v8") _, out("v9") _,
                options(nostack),
            );
        }
        keys.set_fours(fours);
    }
}
