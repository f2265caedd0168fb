//! Functions that have the faults for which `../codegen` looks, so that it is seen to find them.

use std::{
    arch::{asm, x86_64::*},
    hint::black_box,
};

static TABLE: [u8; 1024] = {
    let mut table = [0; 1024];
    table[7] = 7;
    table
};

#[inline(never)]
fn other(x: __m128i) -> __m128i {
    black_box(x)
}

#[inline(never)]
pub fn call(block: &mut __m128i) {
    for _ in 0..32 {
        *block = other(*block);
    }
}

#[inline(never)]
pub fn fill() -> [u8; 4096] {
    [0; 4096]
}

#[target_feature(enable = "avx2")]
#[inline(never)]
pub fn vzeroupper(block: &mut __m256i) {
    *block = _mm256_add_epi8(*block, *block);
    // SAFETY: AVX2 includes it
    unsafe { asm!("vzeroupper", out("xmm0") _, out("xmm1") _) };
    *block = _mm256_add_epi8(*block, *block);
}

/// The index comes out of a vector register.
#[inline(never)]
pub fn lookup(block: __m128i) -> u8 {
    // SAFETY: every x86-64 has SSE2
    TABLE[unsafe { _mm_extract_epi16::<3>(block) } as usize % 1024]
}

/// The index is loaded, and changed.
#[inline(never)]
pub fn loaded_lookup(block: &[u8; 16]) -> u8 {
    TABLE[usize::from(block[3]) * 4 + 3]
}

/// The index goes from a vector register by way of the stack.
#[inline(never)]
pub fn stored_lookup(block: __m128i) -> u8 {
    let block = black_box(block);
    // SAFETY: 16 bytes are 16 bytes
    let bytes: [u8; 16] = unsafe { core::mem::transmute(block) };
    TABLE[usize::from(black_box(bytes)[3])]
}

#[target_feature(enable = "avx2")]
#[inline(never)]
pub fn gather(index: __m256i) -> __m256i {
    // SAFETY: the indices are within the table
    unsafe {
        _mm256_i32gather_epi32::<1>(
            TABLE.as_ptr().cast(),
            _mm256_and_si256(index, _mm256_set1_epi32(1020)),
        )
    }
}

/// Leaves at the first zero.
#[inline(never)]
pub fn branch(blocks: &[__m128i; 16]) -> usize {
    let mut n = 0;
    for block in blocks {
        // SAFETY: every x86-64 has SSE2
        if unsafe { _mm_movemask_epi8(*block) } == 0 {
            break;
        }
        n += 1;
    }
    n
}

/// As many steps as a byte says.
#[inline(never)]
pub fn loaded_branch(block: &[u8; 16]) {
    for i in 0..block[3] {
        black_box(i);
    }
}
