//! For LD_PRELOAD: shows a program another CPU.
//!
//! In the program, CPUID must have been replaced by UD2 (`0f 0b`) and XGETBV by UD0 (`0f ff c0`).
//! Both make the kernel send SIGILL, and the handler answers what the environment says:
//!
//! ```text
//! CPU_HAS       `sm4`: it is there (emulated, if need be); otherwise it is not
//! CPU_LACKS     names of features that are not there
//! CPU_MAX_LEAF  the highest leaf; those above it repeat it, as on Intel's CPUs
//! CPU_XCR0      what XGETBV returns (hex), or `none`: then executing it is an error
//! ```
#![allow(unsafe_op_in_unsafe_fn, reason = "all of this is for signal handlers")]

#[path = "../../sm4/src/x86/sm4ni/emulator.rs"]
#[allow(dead_code, reason = "not all of it is for here")]
mod emulator;

use core::{arch::asm, arch::x86_64::__cpuid_count};
use std::{env, sync::OnceLock};

use libc::{REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RIP, c_int, c_void, siginfo_t, ucontext_t};

/// Name, leaf, subleaf, register (0 is EAX, 1 EBX, 2 ECX), bit.
const FEATURES: &[(&str, u32, u32, usize, u32)] = &[
    ("fma", 1, 0, 2, 12),
    ("aes", 1, 0, 2, 25),
    ("avx", 1, 0, 2, 28),
    ("avx2", 7, 0, 1, 5),
    ("avx512f", 7, 0, 1, 16),
    ("avx512bw", 7, 0, 1, 30),
    ("avx512vl", 7, 0, 1, 31),
    ("gfni", 7, 0, 2, 8),
    ("vaes", 7, 0, 2, 9),
];

struct Cpu {
    sm4: bool,
    lacks: String,
    max_leaf: Option<u32>,
    xcr0: Option<String>,
}

static CPU: OnceLock<Cpu> = OnceLock::new();

impl Cpu {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        let max_leaf = self.max_leaf.unwrap_or(__cpuid_count(0, 0).eax);
        let leaf = leaf.min(max_leaf);
        let answer = __cpuid_count(leaf, subleaf);
        let mut registers = [answer.eax, answer.ebx, answer.ecx, answer.edx];
        if leaf == 0 {
            registers[0] = max_leaf;
        }
        if (leaf, subleaf) == (7, 0) {
            registers[0] = registers[0].max(1);
        }
        for &(name, of, sub, register, bit) in FEATURES {
            if (of, sub) == (leaf, subleaf) && self.lacks.split(' ').any(|word| word == name) {
                registers[register] &= !(1 << bit);
            }
        }
        if (leaf, subleaf) == (7, 1) {
            registers[0] = registers[0] & !(1 << 2) | u32::from(self.sm4) << 2;
        }
        if leaf == 1 && self.xcr0.as_deref() == Some("none") {
            registers[2] &= !(1 << 27);
        }
        registers
    }

    fn xcr0(&self) -> u64 {
        if let Some(xcr0) = &self.xcr0 {
            return u64::from_str_radix(xcr0, 16).expect("XGETBV where it is not enabled");
        }
        let (low, high): (u32, u32);
        // SAFETY: the program asks only if the operating system has enabled it
        unsafe { asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") high) };
        u64::from(high) << 32 | u64::from(low)
    }
}

unsafe extern "C" fn on_illegal_instruction(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    let context = &mut *context.cast::<ucontext_t>();
    let general = &mut context.uc_mcontext.gregs;
    let get = |register: c_int| general[register as usize];
    let code = get(REG_RIP) as *const [u8; 2];
    let cpu = CPU.get().expect("the constructor has run");
    match *code {
        [0x0f, 0x0b] => {
            let registers = cpu.cpuid(get(REG_RAX) as u32, get(REG_RCX) as u32);
            for (to, value) in [REG_RAX, REG_RBX, REG_RCX, REG_RDX]
                .into_iter()
                .zip(registers)
            {
                general[to as usize] = i64::from(value);
            }
            general[REG_RIP as usize] += 2;
        }
        [0x0f, 0xff] => {
            let xcr0 = cpu.xcr0();
            general[REG_RAX as usize] = (xcr0 & 0xffff_ffff) as i64;
            general[REG_RDX as usize] = (xcr0 >> 32) as i64;
            general[REG_RIP as usize] += 3;
        }
        // SAFETY: these are the registers of the program
        _ if cpu.sm4 && emulator::step(context) => {}
        _ => {
            libc::signal(libc::SIGILL, libc::SIG_DFL);
        }
    }
}

#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCTOR: extern "C" fn() = {
    extern "C" fn constructor() {
        let list = |name| env::var(name).unwrap_or_default();
        let _ = CPU.set(Cpu {
            sm4: list("CPU_HAS") == "sm4",
            lacks: list("CPU_LACKS"),
            max_leaf: env::var("CPU_MAX_LEAF")
                .ok()
                .and_then(|leaf| leaf.parse().ok()),
            xcr0: env::var("CPU_XCR0").ok(),
        });
        // SAFETY: the handler has the signature that is asked for
        unsafe { emulator::handle(on_illegal_instruction) };
    }
    constructor
};
