//! What the types call themselves.

use core::{fmt, marker::PhantomData};

use sm4_modes::{
    Sm4BcDec, Sm4BcEnc, Sm4CbcCs1, Sm4CbcCs2, Sm4CbcCs3, Sm4CbcDec, Sm4CbcEnc, Sm4CbcMac,
    Sm4CbcMacKey, Sm4Cfb8Dec, Sm4Cfb8Enc, Sm4CfbBufDec, Sm4CfbBufEnc, Sm4CfbDec, Sm4CfbEnc,
    Sm4Cmac, Sm4CmacKey, Sm4Ctr, Sm4Ctr32Be, Sm4Ctr32Le, Sm4EcbDec, Sm4EcbEnc, Sm4Hctr, Sm4Ofb,
    Sm4OfbnlfDec, Sm4OfbnlfEnc, Sm4XtsGb, Sm4XtsIeee,
    cipher::AlgorithmName,
    mac::{Method1, Method2, Method3},
};

struct Name<T>(PhantomData<T>);

impl<T: AlgorithmName> fmt::Display for Name<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::write_alg_name(f)
    }
}

fn name<T: AlgorithmName>() -> String {
    Name::<T>(PhantomData).to_string()
}

#[test]
fn names() {
    let names = [
        (name::<Sm4EcbEnc>(), "Sm4EcbEnc"),
        (name::<Sm4EcbDec>(), "Sm4EcbDec"),
        (name::<Sm4CbcEnc>(), "Sm4CbcEnc"),
        (name::<Sm4CbcDec>(), "Sm4CbcDec"),
        (name::<Sm4CbcCs1>(), "Sm4CbcCs1"),
        (name::<Sm4CbcCs2>(), "Sm4CbcCs2"),
        (name::<Sm4CbcCs3>(), "Sm4CbcCs3"),
        (name::<Sm4CfbEnc>(), "Sm4CfbEnc"),
        (name::<Sm4CfbDec>(), "Sm4CfbDec"),
        (name::<Sm4CfbBufEnc>(), "Sm4CfbBufEnc"),
        (name::<Sm4CfbBufDec>(), "Sm4CfbBufDec"),
        (name::<Sm4Cfb8Enc>(), "Sm4Cfb8Enc"),
        (name::<Sm4Cfb8Dec>(), "Sm4Cfb8Dec"),
        (name::<Sm4Ofb>(), "Sm4Ofb"),
        (name::<Sm4Ctr>(), "Sm4Ctr"),
        (name::<Sm4Ctr32Be>(), "Sm4Ctr32BE"),
        (name::<Sm4Ctr32Le>(), "Sm4Ctr32LE"),
        (name::<Sm4XtsIeee>(), "Sm4XtsIeee"),
        (name::<Sm4XtsGb>(), "Sm4XtsGb"),
        (name::<Sm4BcEnc>(), "Sm4BcEnc"),
        (name::<Sm4BcDec>(), "Sm4BcDec"),
        (name::<Sm4OfbnlfEnc>(), "Sm4OfbnlfEnc"),
        (name::<Sm4OfbnlfDec>(), "Sm4OfbnlfDec"),
        (name::<Sm4Hctr>(), "Sm4Hctr"),
        (name::<Sm4CmacKey>(), "Sm4Cmac"),
        (name::<Sm4Cmac>(), "Sm4Cmac"),
        (name::<Sm4CbcMacKey<Method1>>(), "Sm4CbcMac1"),
        (name::<Sm4CbcMacKey<Method2>>(), "Sm4CbcMac2"),
        (name::<Sm4CbcMacKey<Method3>>(), "Sm4CbcMac3"),
        (name::<Sm4CbcMac<Method2>>(), "Sm4CbcMac2"),
    ];
    for (name, expected) in names {
        assert_eq!(name, expected);
    }
}
