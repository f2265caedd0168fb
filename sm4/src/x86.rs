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

use cipher::consts::{U16, U32, U64, U128};

use crate::{
    double::Double,
    kernel::define_instruction_set,
    lanes::{aes::Aes, bytes::Bytes},
    round::{Chain, Rounds},
    row::Rows,
    shape::{Packed, Pair, Single, Sliced},
};
use aesni::{AesNi, Vaes};
use gfni::Gfni;

define_instruction_set! {
    /// SM4-NI on XMM and YMM registers.
    Sm4Ni,
    target_features: #[target_feature(enable = "avx2,sm4")],
    par_blocks: U16, bulk_blocks: U16,
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
    par_blocks: U32, bulk_blocks: U128,
    schedule: Bytes<__m128i, Gfni, true>, block: Chain<Single<Bytes<__m128i, Gfni, true>>>,
    batches: [
        gfni_avx512_4: Chain<Packed<Bytes<__m128i, Gfni, true>>>,
        gfni_avx512_16: Chain<Packed<Bytes<__m512i, Gfni, true>>>,
        gfni_avx512_32: Chain<Pair<Packed<Bytes<__m512i, Gfni, true>>>>,
        gfni_avx512_64: Rounds<Sliced<Bytes<__m512i, Gfni, true>>>,
        gfni_avx512_128: Rounds<Pair<Sliced<Bytes<__m512i, Gfni, true>>>, true>,
    ],
}

define_instruction_set! {
    /// GFNI on YMM registers.
    GfniAvx2,
    target_features: #[target_feature(enable = "avx2,gfni")],
    par_blocks: U16, bulk_blocks: U64,
    schedule: Bytes<__m128i, Gfni>, block: Chain<Single<Bytes<__m128i, Gfni>>>,
    batches: [
        gfni_avx2_4: Chain<Packed<Bytes<__m128i, Gfni>>>,
        gfni_avx2_8: Chain<Packed<Bytes<__m256i, Gfni>>>,
        gfni_avx2_16: Chain<Pair<Packed<Bytes<__m256i, Gfni>>>>,
        gfni_avx2_32: Rounds<Sliced<Bytes<__m256i, Gfni>>, true>,
        gfni_avx2_64: Rounds<Pair<Sliced<Bytes<__m256i, Gfni>>>, true>,
    ],
}

define_instruction_set! {
    /// VAES on YMM registers.
    VaesAvx2,
    target_features: #[target_feature(enable = "avx2,aes,vaes")],
    par_blocks: U16, bulk_blocks: U64,
    schedule: Bytes<__m128i, Aes<AesNi, true>>,
    block: Chain<Single<Bytes<__m128i, Aes<AesNi, true>>>>,
    batches: [
        vaes_avx2_4: Chain<Packed<Bytes<__m128i, Aes<AesNi>>>>,
        vaes_avx2_8: Chain<Packed<Bytes<__m256i, Aes<Vaes>>>>,
        vaes_avx2_16: Chain<Pair<Packed<Bytes<__m256i, Aes<Vaes>>>>>,
        vaes_avx2_32: Rounds<Sliced<Bytes<__m256i, Aes<Vaes>>>>,
        vaes_avx2_64: Rounds<Sliced<Double<Bytes<__m256i, Aes<Vaes>>>>>,
    ],
}

define_instruction_set! {
    /// AES-NI, with the rest on YMM registers.
    AesniAvx2,
    target_features: #[target_feature(enable = "avx2,aes")],
    par_blocks: U16, bulk_blocks: U64,
    schedule: Bytes<__m128i, Aes<AesNi, true>>,
    block: Chain<Single<Bytes<__m128i, Aes<AesNi, true>>>>,
    batches: [
        aesni_avx2_4: Chain<Packed<Bytes<__m128i, Aes<AesNi>>>>,
        aesni_avx2_8: Chain<Packed<Bytes<__m256i, Aes<AesNi>>>>,
        aesni_avx2_32: Rounds<Sliced<Bytes<__m256i, Aes<AesNi>>>>,
        aesni_avx2_64: Rounds<Sliced<Double<Bytes<__m256i, Aes<AesNi>>>>>,
    ],
}

define_instruction_set! {
    /// AES-NI on XMM registers.
    AesniAvx,
    target_features: #[target_feature(enable = "avx,aes")],
    par_blocks: U16, bulk_blocks: U32,
    schedule: Bytes<__m128i, Aes<AesNi, true>>,
    block: Chain<Single<Bytes<__m128i, Aes<AesNi, true>>>>,
    batches: [
        aesni_avx_4: Chain<Packed<Bytes<__m128i, Aes<AesNi>>>>,
        aesni_avx_8: Chain<Pair<Packed<Bytes<__m128i, Aes<AesNi>>>>>,
        aesni_avx_16: Rounds<Sliced<Bytes<__m128i, Aes<AesNi>>>>,
        aesni_avx_32: Rounds<Sliced<Double<Bytes<__m128i, Aes<AesNi>>>>>,
    ],
}
