"""Runs every operation in an emulated CPU with random keys and data, and compares the traces: the
addresses of all instructions and of all memory that they access. They must be the same each time."""

import ctypes
import os
import random
import struct
import subprocess
import sys

import bochscpu
import bochscpu.cpu
import bochscpu.memory

PAGE = 0x1000
KEY, NAME, DATA, STOP, STACK = 0x500000, 0x501000, 0x510000, 0x600000, 0x740000
MOST = 1 << 14
LENGTHS = [0, 16, 33, 100, 272, 1040, 2100]
BLOCKS = [*range(19), 31, 32, 33, 48, 63, 64, 65, 96, 127, 128, 129]
RUNS = 3


class Unknown(Exception):
    """The emulator does not know an instruction."""


class Machine:
    """A CPU with the program's segments, a stack and some pages of data."""

    def __init__(self, path):
        with open(path, "rb") as file:
            image = file.read()
        (headers,) = struct.unpack_from("<Q", image, 32)
        (count,) = struct.unpack_from("<H", image, 56)
        segments = []
        for i in range(count):
            kind, _, at, address, _, size, room, _ = struct.unpack_from("<IIQQQQQQ", image, headers + 56 * i)
            if kind == 1:
                segments.append((address, image[at : at + size], room))
        pages = {p for a, _, room in segments for p in range(a & -PAGE, a + room, PAGE)}
        pages |= {KEY, NAME, STOP, *range(DATA, DATA + MOST, PAGE), *range(STACK - 0x40000, STACK, PAGE)}

        self.session = bochscpu.Session()
        self.host, table = {}, bochscpu.memory.PageMapLevel4Table()
        for i, page in enumerate(sorted(pages)):
            physical = 0x1000000 + PAGE * i
            self.host[page] = bochscpu.memory.allocate_host_page()
            bochscpu.memory.page_insert(physical, self.host[page])
            table.insert(page, physical, 1)
        for host, physical in table.commit(0x10000000):
            bochscpu.memory.page_insert(physical, host)
        self.table = table  # whose memory the CPU uses
        for address, content, _ in segments:
            self.write(address, content)
        self.write(STOP, b"\xcc")
        lines = subprocess.check_output(["nm", path], text=True).splitlines()
        self.symbols = {line.split()[-1]: int(line.split()[0], 16) for line in lines if line[0] in "0123456789abcdef"}

    def write(self, address, content):
        while content:
            at = address % PAGE
            part, content = content[: PAGE - at], content[PAGE - at :]
            ctypes.memmove(self.host[address - at] + at, part, len(part))
            address += len(part)

    def read(self, address, size):
        return ctypes.string_at(self.host[address & -PAGE] + address % PAGE, size)

    def place(self, address):
        below = [(at, name) for name, at in self.symbols.items() if at <= address]
        at, name = max(below, default=(0, ""))
        return f"{address:#x} ({name}+{address - at:#x})"

    def first_difference(self, one, other):
        """Where two traces part: the last instruction that both have, and what each has then."""
        i = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
        last = next((place for place in reversed(one[:i]) if isinstance(place, int)), 0)
        what = "access" if any(isinstance(t[i : i + 1][0], tuple) for t in (one, other) if t[i:]) else "branch"
        return f"{what} after {self.place(last)}: {self.read(last, 11).hex(' ')}"

    def call(self, function, *arguments):
        """Returns the result, the number of instructions and the trace."""
        state = bochscpu.State()
        bochscpu.cpu.set_long_mode(state)
        state.cr0 = state.cr0 & ~(1 << 18) | 0x80000031
        state.cr3 = 0x10000000
        state.cr4 |= 1 << 5 | 1 << 9 | 1 << 10 | 1 << 18
        state.xcr0 = 0xE7
        state.mxcsr = 0x1F80
        state.rip, state.rsp, state.rflags = self.symbols[function], STACK - 0x108, 2
        self.write(STACK - 0x108, struct.pack("<Q", STOP))
        for register, value in zip(("rdi", "rsi", "rdx", "rcx", "r8"), arguments):
            setattr(state, register, value)
        for name in ("cs", "ds", "es", "ss", "fs", "gs"):
            segment = bochscpu.Segment()
            segment.present, segment.base, segment.limit = True, 0, 0xFFFFFFFF
            segment.selector, segment.attr = (0x33, 0x20FB) if name == "cs" else (0x2B, 0xC0F3)
            setattr(state, name, segment)
        session, trace, instructions, faults = self.session, [], [0], []
        session.cpu.state = state
        hook = bochscpu.Hook()

        def before(session, cpu, instruction):
            instructions[0] += 1
            trace.append(session.cpu.rip)

        def fault(*what):
            faults.append(what[2:])
            session.stop()

        hook.before_execution = before
        hook.exception = fault
        hook.interrupt = lambda *_: session.stop()
        hook.lin_access = lambda _s, _c, address, _p, size, _t, how: trace.append((address, size, how))
        session.missing_page_handler = lambda address: fault(0, 0, hex(address))
        session.run([hook])
        # The end is a breakpoint, which is no fault.
        if session.cpu.state.rip not in (STOP, STOP + 1):
            if faults and faults[0][0] == 6:
                at = next(place for place in reversed(trace) if isinstance(place, int))
                raise Unknown(f"{self.read(at, 11).hex(' ')} at {self.place(at)}")
            raise RuntimeError(f"{function}{arguments}: {faults}, at {session.cpu.state.rip:#x}")
        return session.cpu.state.rax & 0xFF, instructions[0], trace


def names(machine, of_backends):
    found = []
    while length := machine.call("name", int(of_backends), len(found), NAME)[0]:
        found.append(machine.read(NAME, length).decode())
    return found


def main():
    machine, rng = Machine(sys.argv[1]), random.Random(5)
    wanted = sys.argv[2].split(",")
    operations = names(machine, False)
    failed = not_run = False
    for backend, backend_name in enumerate(names(machine, True)):
        if backend_name not in wanted:
            continue
        calls = total = accesses = unknown = 0
        for number, name in enumerate(operations):
            lengths = [16 * n for n in BLOCKS] if name.startswith("cipher") else LENGTHS
            if name.startswith(("padding", "planted")):
                lengths = [16]
            # What is set up at the first use, such as the detection of instructions
            try:
                machine.call("run", number, backend, KEY, DATA, lengths[-1])
            except Unknown as instruction:
                print(f"NOT RUN: {backend_name}, {name}: the emulator does not know {instruction}")
                unknown, not_run = unknown + 1, True
                continue
            different = {}
            for length in lengths:
                traces = []
                for _ in range(8 if name.startswith("planted") else RUNS):
                    machine.write(KEY, rng.randbytes(32))
                    machine.write(DATA, rng.randbytes(length))
                    right, instructions, trace = machine.call("run", number, backend, KEY, DATA, length)
                    if not right:
                        raise RuntimeError(f"{backend_name}, {name}, {length} bytes: wrong answer")
                    traces.append(trace)
                    calls, total = calls + 1, total + instructions
                    accesses += len(trace) - instructions
                for trace in traces:
                    if trace != traces[0]:
                        different[length] = machine.first_difference(traces[0], trace)
            if name.startswith("planted"):
                seen = f"seen: {different[16]}" if different else "NOT SEEN"
                print(f"{backend_name}, {name}: {seen}")
                failed |= not different
            elif different:
                for length, where in different.items():
                    print(f"{backend_name}, {name}, {length} bytes: DEPENDS ON SECRETS: {where}")
                failed = True
        print(f"{backend_name}: {len(operations) - unknown} operations, {calls} calls, {total} instructions,"
              f" {accesses} accesses", flush=True)
        wanted.remove(backend_name)
    if wanted:
        print(f"NOT RUN: not on this model: {wanted}")
        not_run = True
    return 1 if failed else 77 if not_run else 0


if __name__ == "__main__":
    sys.exit(main())
