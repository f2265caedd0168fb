//! x86 and x86-64.

mod aesni;
pub(crate) mod cpuid;
pub(crate) mod gfni;
mod register;
pub(crate) mod sm4ni;

#[cfg(target_arch = "x86")]
use core::arch::x86::{__m128i, __m256i, __m512i};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m128i, __m256i, __m512i};

use cipher::consts::{U8, U16, U64, U128};

use crate::{
    kernel::define_instruction_set,
    lanes::{aes::Aes, bytes::Bytes},
    row::Rows,
    serial::Single,
    shape::{Packed, Pair, Sliced},
};

define_instruction_set! {
    /// SM4-NI on XMM and YMM registers.
    Sm4Ni,
    target_features: #[target_feature(enable = "avx2,sm4")],
    par_blocks: U8, bulk_blocks: U16,
    schedule: Rows<sm4ni::Xmm, 1>, block: Rows<sm4ni::Xmm, 1>,
    batches: [
        sm4ni_2: Rows<sm4ni::Ymm, 1>,
        sm4ni_4: Rows<sm4ni::Ymm, 2>,
        sm4ni_8: Rows<sm4ni::Ymm, 4>,
        sm4ni_16: Rows<sm4ni::Ymm, 8>,
    ],
}

define_instruction_set! {
    /// GFNI on ZMM registers.
    GfniAvx512,
    target_features: #[target_feature(enable = "avx512f,avx512bw,avx512vl,gfni")],
    par_blocks: U16, bulk_blocks: U128,
    schedule: Bytes<__m128i, gfni::Gfni>, block: Single<Bytes<__m128i, gfni::Gfni>>,
    batches: [
        gfni_avx512_4: Packed<Bytes<__m128i, gfni::Gfni>>,
        gfni_avx512_16: Packed<Bytes<__m512i, gfni::Gfni>>,
        gfni_avx512_32: Pair<Packed<Bytes<__m512i, gfni::Gfni>>>,
        gfni_avx512_64: Sliced<Bytes<__m512i, gfni::Gfni>>,
        gfni_avx512_128: Pair<Sliced<Bytes<__m512i, gfni::Gfni>>>,
    ],
}

define_instruction_set! {
    /// AES-NI, with the rest on YMM registers.
    AesniAvx2,
    target_features: #[target_feature(enable = "avx2,aes")],
    par_blocks: U8, bulk_blocks: U64,
    schedule: Bytes<__m128i, Aes>, block: Single<Bytes<__m128i, Aes>>,
    batches: [
        aesni_avx2_4: Packed<Bytes<__m128i, Aes>>,
        aesni_avx2_8: Packed<Bytes<__m256i, Aes>>,
        aesni_avx2_32: Sliced<Bytes<__m256i, Aes>>,
        aesni_avx2_64: Pair<Sliced<Bytes<__m256i, Aes>>>,
    ],
}
