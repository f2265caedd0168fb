//! Builds the peers that are asked for by feature from the sources that their `-src` crates carry.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "openssl")]
    openssl::build();
    #[cfg(feature = "botan")]
    botan::build();
}

/// Whether the peers are for tests alone, where their answers count and their speed does not.
#[cfg(any(feature = "openssl", feature = "botan"))]
fn is_for_tests() -> bool {
    std::env::var_os("PROFILE").is_some_and(|profile| profile == "debug")
}

#[cfg(feature = "openssl")]
mod openssl {
    use std::env;

    /// Takes perl's place, to leave out most of the library.
    const CONFIGURE: &str = "src/peers/configure-openssl";

    pub fn build() {
        println!("cargo::rerun-if-changed={CONFIGURE}");
        let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo says it");
        // SAFETY: this program has but one thread
        unsafe {
            if cfg!(unix) {
                env::set_var("OPENSSL_SRC_PERL", format!("{folder}/{CONFIGURE}"));
            }
            if super::is_for_tests() {
                env::set_var("OPT_LEVEL", "0");
                env::set_var("DEBUG", "false");
            }
        }
        openssl_src::Build::new().build().print_cargo_metadata();
    }
}

#[cfg(feature = "botan")]
mod botan {
    use std::env;

    /// Everything that SM4 and its modes do not need: the whole library takes many minutes.
    const NOT_NEEDED: &str = "aes,argon2,aria,ascon_aead128,ascon_perm,asn1,auto_rng,base32,base58,base64,bcrypt,\
        bigint,bitvector,blowfish,camellia,cascade,cast128,certstor_system,chacha,compression,\
        cryptobox,des,dns_name,email,entropy,ffi,filters,fpe_fe1,gost_28147,hash,hash_id,hmac,\
        hotp,http_util,idea,ip_address,jitter_rng,kdf,keccak_perm,kuznyechik,lion,\
        locking_allocator,mem_pool,mgf1,mp,nist_keywrap,noekeon,passhash9,pbkdf,pcurves,pem,\
        poly1305,processor_rng,psk_db,pubkey,rc4,rfc3394,roughtime,salsa20,seed,serpent,shacal2,\
        siphash,socket,sponge,stateful_rng,system_rng,threefish_512,tls,tree_hash,tss,twofish,\
        uri,uuid,x509,x919_mac,xof,zfec";

    const GLUE: &str = "src/peers/botan.cpp";

    pub fn build() {
        println!("cargo::rerun-if-changed={GLUE}");
        // SAFETY: this program has but one thread
        unsafe {
            env::set_var("BOTAN_CONFIGURE_DISABLE_MODULES", NOT_NEEDED);
            if super::is_for_tests() {
                // Instead of -O3 -g
                env::set_var("BOTAN_CONFIGURE_CXXFLAGS", "-O1 -w");
            }
        }
        let (build, include) = botan_src::build();
        cc::Build::new()
            .cpp(true)
            .std("c++20")
            .include(include)
            .file(GLUE)
            .compile("sm4_bench_botan");
        // After the glue, which needs it.
        println!("cargo::rustc-link-search=native={build}");
        println!("cargo::rustc-link-lib=static=botan-3");
    }
}
