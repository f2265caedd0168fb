//! Executes `VSM4KEY4` and `VSM4RNDS4` for CPUs that cannot, so that the machine code of this
//! backend is tested on other CPUs too: for tests on x86-64 Linux only.
//!
//! Where the instruction is unknown the kernel sends SIGILL. The handler decodes the instruction,
//! executes it on the registers that the kernel has saved on the signal stack, moves the program
//! counter behind it and returns. All VEX forms are known (128 and 256 bit, register and memory
//! operands; not the %fs and %gs segments or 32-bit addresses). Anything else dies of the signal as
//! it would have.
//!
//! The operations follow the pseudo-code of the Intel SDM, volume 2, and share nothing with the
//! code under test.

use core::{
    arch::x86_64::__cpuid_count,
    ptr,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use libc::{c_int, c_void, siginfo_t, ucontext_t};

/// How many instructions have been executed here.
static EXECUTED: AtomicUsize = AtomicUsize::new(0);

/// How many instructions have been executed here.
pub(crate) fn executed() -> usize {
    EXECUTED.load(Relaxed)
}

/// Puts the handler in place.
pub(crate) fn install() {
    // SAFETY: it is a handler for SIGILL
    unsafe { handle(on_illegal_instruction) };
}

type Handler = unsafe extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// Puts a handler in place.
///
/// # Safety
/// The handler is one for SIGILL.
pub(crate) unsafe fn handle(handler: Handler) {
    // SAFETY: all zeros is a `sigaction`
    let mut action: libc::sigaction = unsafe { core::mem::zeroed() };
    action.sa_sigaction = handler as usize;
    action.sa_flags = libc::SA_SIGINFO;
    // SAFETY: the handler has the signature that SA_SIGINFO wants
    let result = unsafe { libc::sigaction(libc::SIGILL, &raw const action, ptr::null_mut()) };
    assert_eq!(result, 0, "sigaction");
}

unsafe extern "C" fn on_illegal_instruction(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel hands over such a context
    let context = unsafe { &mut *context.cast::<ucontext_t>() };
    // SAFETY: the program counter points to the instruction that could not be executed
    if !unsafe { step(context) } {
        // Back to the same instruction, and to death by it.
        // SAFETY: the default action needs no handler
        unsafe { libc::signal(libc::SIGILL, libc::SIG_DFL) };
        return;
    }
    // Others may follow: that spares the next signals.
    // SAFETY: an instruction has just been executed in front of the program counter
    while unsafe { step(context) } {}
}

/// Executes the instruction at the program counter, if it is one of the two.
///
/// # Safety
/// The program counter and the registers are those of a running program.
pub(crate) unsafe fn step(context: &mut ucontext_t) -> bool {
    let general = &mut context.uc_mcontext.gregs;
    let counter = general[libc::REG_RIP as usize];
    let Some(instruction) = Instruction::decode(|offset| {
        // SAFETY: the decoder asks for no byte behind the instruction, and all of it is mapped
        unsafe { (counter as *const u8).add(offset).read() }
    }) else {
        return false;
    };
    let next = counter + instruction.length as i64;

    // SAFETY: the kernel has saved the registers there
    let Some(vectors) = (unsafe { Vectors::new(context.uc_mcontext.fpregs.cast()) }) else {
        return false;
    };
    for lane in 0..instruction.lanes {
        let state = vectors.read(instruction.first, lane);
        let other = match instruction.second {
            Operand::Register(register) => vectors.read(register, lane),
            Operand::Memory {
                base,
                index,
                displacement,
            } => {
                let base = base.map_or(next, |base| base.read(general));
                let index = index.map_or(0, |(index, shift)| index.read(general) << shift);
                let address = base.wrapping_add(index).wrapping_add(displacement);
                // SAFETY: the program reads there
                unsafe { (address as *const [u32; 4]).add(lane).read_unaligned() }
            }
        };
        vectors.write(
            instruction.destination,
            lane,
            instruction.apply(state, other),
        );
    }
    vectors.clear_above(instruction.destination, instruction.lanes);
    general[libc::REG_RIP as usize] = next;
    EXECUTED.fetch_add(1, Relaxed);
    true
}

/// What an instruction does to its words.
#[derive(Clone, Copy)]
enum Operation {
    /// `VSM4KEY4`
    Key,
    /// `VSM4RNDS4`
    Rounds,
}

#[derive(Clone, Copy)]
enum Operand {
    Register(u8),
    Memory {
        /// If there is none, the address of the next instruction.
        base: Option<Address>,
        /// With the shift that scales it.
        index: Option<(Address, u8)>,
        displacement: i64,
    },
}

/// What addresses are made of.
#[derive(Clone, Copy)]
enum Address {
    Register(u8),
    Zero,
}

impl Address {
    fn read(self, general: &[i64; 23]) -> i64 {
        use libc::*;
        const NUMBERED: [c_int; 16] = [
            REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9,
            REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
        ];
        match self {
            Self::Register(number) => general[NUMBERED[number as usize] as usize],
            Self::Zero => 0,
        }
    }
}

#[derive(Clone, Copy)]
struct Instruction {
    operation: Operation,
    /// Lanes of 128 bit.
    lanes: usize,
    destination: u8,
    first: u8,
    second: Operand,
    length: usize,
}

impl Instruction {
    /// Decodes `VEX.NDS.{128,256}.{F3,F2}.0F38.W0 DA /r` from a function that returns the bytes.
    fn decode(byte: impl Fn(usize) -> u8) -> Option<Self> {
        // C4, ~R ~X ~B m₅, W ~v₄ L pp, opcode, ModRM
        if byte(0) != 0xc4 || byte(1) & 0x1f != 0b00010 || byte(3) != 0xda {
            return None;
        }
        let operation = match byte(2) & 0b1000_0011 {
            0b10 => Operation::Key,
            0b11 => Operation::Rounds,
            _ => return None,
        };
        let extension = |bit: u8| if byte(1) & bit == 0 { 8 } else { 0 };
        let (r, x, b) = (extension(0x80), extension(0x40), extension(0x20));
        let modrm = byte(4);
        let (mode, rm) = (modrm >> 6, modrm & 7);
        let mut length = 5;

        let second = if mode == 3 {
            Operand::Register(rm | b)
        } else {
            let mut base = Some(Address::Register(rm | b));
            let mut index = None;
            let mut bytes = [0, 1, 4][mode as usize];
            if rm == 4 {
                let sib = byte(length);
                length += 1;
                base = Some(Address::Register(sib & 7 | b));
                let number = sib >> 3 & 7 | x;
                if number != 4 {
                    index = Some((Address::Register(number), sib >> 6));
                }
                if mode == 0 && sib & 7 == 5 {
                    (base, bytes) = (Some(Address::Zero), 4);
                }
            } else if mode == 0 && rm == 5 {
                (base, bytes) = (None, 4);
            }
            let displacement = match bytes {
                0 => 0,
                1 => i64::from(byte(length).cast_signed()),
                _ => i64::from(i32::from_le_bytes(
                    [0, 1, 2, 3].map(|offset| byte(length + offset)),
                )),
            };
            length += bytes;
            Operand::Memory {
                base,
                index,
                displacement,
            }
        };
        Some(Self {
            operation,
            lanes: if byte(2) & 4 == 0 { 1 } else { 2 },
            destination: modrm >> 3 & 7 | r,
            first: !byte(2) >> 3 & 15,
            second,
            length,
        })
    }

    /// Four rounds.
    fn apply(self, mut x: [u32; 4], keys: [u32; 4]) -> [u32; 4] {
        for i in 0..4 {
            let t = x[(i + 1) % 4] ^ x[(i + 2) % 4] ^ x[(i + 3) % 4] ^ keys[i];
            let y = u32::from_ne_bytes(t.to_ne_bytes().map(|byte| SBOX[byte as usize]));
            x[i] ^= y ^ match self.operation {
                Operation::Key => y.rotate_left(13) ^ y.rotate_left(23),
                Operation::Rounds => {
                    y.rotate_left(2) ^ y.rotate_left(10) ^ y.rotate_left(18) ^ y.rotate_left(24)
                }
            };
        }
        x
    }
}

/// The vector registers as XSAVE lays them out (SDM volume 1, 13.4).
struct Vectors {
    area: *mut u8,
    /// Where the upper halves of the YMM registers are, and those of the ZMM registers.
    ymm: usize,
    zmm: Option<usize>,
}

impl Vectors {
    /// # Safety
    /// `area` is what the kernel has saved for a signal handler.
    unsafe fn new(area: *mut u8) -> Option<Self> {
        const XMM: u64 = 1 << 1;
        const YMM: u64 = 1 << 2;
        const ZMM: u64 = 1 << 6;
        let offset = |component| __cpuid_count(0xd, component).ebx as usize;

        if area.is_null() {
            return None;
        }
        // The kernel says in the bytes that XSAVE leaves alone whether this is more than FXSAVE's
        // area, and which components it has.
        // SAFETY: the area is at least as long as FXSAVE's
        let (magic, there) = unsafe {
            (
                area.add(464).cast::<u32>().read_unaligned(),
                area.add(472).cast::<u64>().read_unaligned(),
            )
        };
        if magic != 0x4650_5853 || there & (XMM | YMM) != XMM | YMM {
            return None;
        }
        // Components whose bit is clear are all zero, whatever the memory says: write it down.
        let ymm = offset(2);
        let zmm = (there & ZMM != 0).then(|| offset(6));
        // SAFETY: the header follows FXSAVE's area
        let used = unsafe { &mut *area.add(512).cast::<u64>() };
        for (component, from, len) in [
            (XMM, 160, 256),
            (YMM, ymm, 256),
            (ZMM, zmm.unwrap_or(0), 512),
        ] {
            if there & component != 0 && *used & component == 0 {
                // SAFETY: the area has the component
                unsafe { area.add(from).write_bytes(0, len) };
                *used |= component;
            }
        }
        Some(Self { area, ymm, zmm })
    }

    fn lane(&self, register: u8, lane: usize) -> *mut [u32; 4] {
        let component = [160, self.ymm][lane];
        // SAFETY: the area has both components, 16 registers of 16 bytes each
        unsafe { self.area.add(component + 16 * register as usize).cast() }
    }

    fn read(&self, register: u8, lane: usize) -> [u32; 4] {
        // SAFETY: the lane is in the area
        unsafe { self.lane(register, lane).read_unaligned() }
    }

    fn write(&self, register: u8, lane: usize, words: [u32; 4]) {
        // SAFETY: the lane is in the area
        unsafe { self.lane(register, lane).write_unaligned(words) };
    }

    /// Clears what lies above the written lanes, as all VEX instructions do.
    fn clear_above(&self, register: u8, lanes: usize) {
        if lanes == 1 {
            self.write(register, 1, [0; 4]);
        }
        if let Some(zmm) = self.zmm {
            // SAFETY: the area has the component, 16 registers of 32 bytes
            unsafe {
                self.area
                    .add(zmm + 32 * register as usize)
                    .write_bytes(0, 32);
            };
        }
    }
}

/// The S-box as the standard prints it (GB/T 32907-2016, 6.2.1).
#[rustfmt::skip]
const SBOX: [u8; 256] = [
    0xd6, 0x90, 0xe9, 0xfe, 0xcc, 0xe1, 0x3d, 0xb7, 0x16, 0xb6, 0x14, 0xc2, 0x28, 0xfb, 0x2c, 0x05,
    0x2b, 0x67, 0x9a, 0x76, 0x2a, 0xbe, 0x04, 0xc3, 0xaa, 0x44, 0x13, 0x26, 0x49, 0x86, 0x06, 0x99,
    0x9c, 0x42, 0x50, 0xf4, 0x91, 0xef, 0x98, 0x7a, 0x33, 0x54, 0x0b, 0x43, 0xed, 0xcf, 0xac, 0x62,
    0xe4, 0xb3, 0x1c, 0xa9, 0xc9, 0x08, 0xe8, 0x95, 0x80, 0xdf, 0x94, 0xfa, 0x75, 0x8f, 0x3f, 0xa6,
    0x47, 0x07, 0xa7, 0xfc, 0xf3, 0x73, 0x17, 0xba, 0x83, 0x59, 0x3c, 0x19, 0xe6, 0x85, 0x4f, 0xa8,
    0x68, 0x6b, 0x81, 0xb2, 0x71, 0x64, 0xda, 0x8b, 0xf8, 0xeb, 0x0f, 0x4b, 0x70, 0x56, 0x9d, 0x35,
    0x1e, 0x24, 0x0e, 0x5e, 0x63, 0x58, 0xd1, 0xa2, 0x25, 0x22, 0x7c, 0x3b, 0x01, 0x21, 0x78, 0x87,
    0xd4, 0x00, 0x46, 0x57, 0x9f, 0xd3, 0x27, 0x52, 0x4c, 0x36, 0x02, 0xe7, 0xa0, 0xc4, 0xc8, 0x9e,
    0xea, 0xbf, 0x8a, 0xd2, 0x40, 0xc7, 0x38, 0xb5, 0xa3, 0xf7, 0xf2, 0xce, 0xf9, 0x61, 0x15, 0xa1,
    0xe0, 0xae, 0x5d, 0xa4, 0x9b, 0x34, 0x1a, 0x55, 0xad, 0x93, 0x32, 0x30, 0xf5, 0x8c, 0xb1, 0xe3,
    0x1d, 0xf6, 0xe2, 0x2e, 0x82, 0x66, 0xca, 0x60, 0xc0, 0x29, 0x23, 0xab, 0x0d, 0x53, 0x4e, 0x6f,
    0xd5, 0xdb, 0x37, 0x45, 0xde, 0xfd, 0x8e, 0x2f, 0x03, 0xff, 0x6a, 0x72, 0x6d, 0x6c, 0x5b, 0x51,
    0x8d, 0x1b, 0xaf, 0x92, 0xbb, 0xdd, 0xbc, 0x7f, 0x11, 0xd9, 0x5c, 0x41, 0x1f, 0x10, 0x5a, 0xd8,
    0x0a, 0xc1, 0x31, 0x88, 0xa5, 0xcd, 0x7b, 0xbd, 0x2d, 0x74, 0xd0, 0x12, 0xb8, 0xe5, 0xb4, 0xb0,
    0x89, 0x69, 0x97, 0x4a, 0x0c, 0x96, 0x77, 0x7e, 0x65, 0xb9, 0xf1, 0x09, 0xc5, 0x6e, 0xc6, 0x84,
    0x18, 0xf0, 0x7d, 0xec, 0x3a, 0xdc, 0x4d, 0x20, 0x79, 0xee, 0x5f, 0x3e, 0xd7, 0xcb, 0x39, 0x48,
];
