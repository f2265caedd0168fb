# Finds what must not be in a hot function. Reads llvm-objdump's disassembly of x86-64 (AT&T syntax,
# --symbolize-operands) and prints a line for each function looked at:
#
#     SEEN   function, number of instructions
#     FAULT  function, reason, instruction
#
# Where a register or a place on the stack can hold data (the key, blocks and what comes of them),
# follows from what every instruction does, along all ways through the function. Each has a class:
#
#     c  no data: a number or pointer of the caller's, a counter
#     p  a pointer to a structure of these
#     s  a pointer into the stack
#     t  data: moved from a vector register, or loaded through a pointer c, or computed from t
#
# A vector register always counts as data. No address and no branch may depend on data.

/^<.*>:$/ && !/^<L[0-9]+>:$/ {
    check()
    n = 0
    name = name_of($0)
    next
}
name == "" || /^$/ { next }
/^<L[0-9]+>:$/ { line[++n] = $1; next }
/R_X86_64/ { line[n] = line[n] " " $2; next } # what a call calls
/^ *\t/ { sub(/^ *\t/, ""); sub(/ *#.*/, ""); sub(/\t/, " "); line[++n] = $0 }
END { check() }

# The name of a function that is to be looked at: a kernel's own, or one with the instruction set's.
function name_of(symbol,    isa) {
    isa = match(symbol, /\.\.[A-Za-z0-9]+\$u20\$as/) ? substr(symbol, RSTART + 2, RLENGTH - 9) : ""
    sub(/( \(\.llvm\.[0-9]+\))?>:$/, "", symbol)
    sub(/::h[0-9a-f]+$/, "", symbol)
    if (sub(/^.*kernels::planted::/, "planted ", symbol)) return symbol
    if (symbol !~ /InstructionSet/) return ""
    if (symbol ~ /::crypt_batch::/) { sub(/^.*::/, "", symbol); return symbol }
    if (symbol ~ /::crypt_block::block$/) return isa " block"
    if (symbol ~ /::run::run$/) return isa " serial"
    # For other instruction sets these functions only call those that have the features.
    if (symbol ~ /::expand_key::expand_key$/ || isa == "Soft" && symbol ~ /::expand_key$/)
        return isa " expand_key"
    if (symbol ~ /::feed::feed$/ || isa == "Soft" && symbol ~ /::feed$/) return isa " feed"
    return ""
}

function fault(reason) {
    # The analysis comes by more than once.
    if (!((reason, i) in reported)) printf "FAULT\t%s\t%s: %s\n", name, reason, line[i]
    reported[reason, i]
}

function check(    count, passes) {
    if (name == "") return
    split("", entry); split("", slots); split("", reported)
    for (i = 1; i <= n; i++) count += line[i] !~ /^</
    do {
        changed = 0
        split("", class); class["rsp"] = "s"; flags = "c"; live = 1; ending = 0
        if (name ~ / serial$/) class["rdi"] = "p"        # the operation
        else if (name !~ / /) class["r9"] = "p" # the masks
        for (i = 1; i <= n; i++)
            if (line[i] ~ /^</) arrive(substr(line[i], 2, length(line[i]) - 3))
            else if (live) instruction(line[i])
    } while (changed && ++passes < 20)
    if (changed) fault("too many ways")
    printf "SEEN\t%s\t%d\n", name, count
}

# The states of all jumps to a label are joined there.
function arrive(label) {
    if (live) jump(label)
    live = (label, "flags") in entry
    ending = 0
    if (live) {
        flags = entry[label, "flags"]
        for (r in registers) class[r] = entry[label, r]
        for (r in slots) class[r] = (label, r) in entry ? entry[label, r] : "t"
    }
}

function jump(label,    r, first) {
    first = !((label, "flags") in entry)
    join_entry(label, "flags", flags, "")
    for (r in registers) join_entry(label, r, class_of(r), "")
    for (r in slots) join_entry(label, r, class_of(r), first ? "" : "t")
}

function join_entry(label, what, kind, missing,    old) {
    old = (label, what) in entry ? entry[label, what] : missing
    kind = join(old, kind)
    if (kind != old) { entry[label, what] = kind; changed = 1 }
}

function join(a, b) {
    if (a == "" || a == b) return b
    if (b == "") return a
    return a == "t" || b == "t" ? "t" : "c"
}

# Registers hold no data at first, and the stack is not known.
function class_of(place) { return place in class ? class[place] : (place in registers) ? "c" : "t" }

# Whether the operand is a fixed place on the stack; its base and offset.
function is_slot(operand) {
    if (operand !~ /^-?(0x[0-9a-f]+)?\(%r(sp|bp|bx)\)$/ || address(operand) == "t" || base != "s") return 0
    frame = operand; sub(/^.*\(/, "", frame)
    offset = operand; sub(/\(.*/, "", offset)
    offset = number(offset)
    return 1
}

function number(hex,    sign, result, j) {
    sign = 1
    if (sub(/^-/, "", hex)) sign = -1
    for (j = 3; j <= length(hex); j++) result = 16 * result + index("123456789abcdef", substr(hex, j, 1))
    return sign * result
}

# A store to a slot: others that it covers in part are no longer known.
function store(operand, size, kind,    s, own, begin) {
    is_slot(operand)
    own = frame; begin = offset
    for (s in slots)
        if (is_slot(s) && frame == own && begin < offset + slots[s] && offset < begin + size)
            class[s] = "t"
    slots[operand] = size
    class[operand] = kind
}

function size_of(mnemonic, register) {
    if (match(register, /%[xyz]mm/)) return 16 * index("xyz", substr(register, 2, 1)) + 16 * (register ~ /z/)
    if (match(mnemonic, /[bwlq]$/)) return 2 ^ (index("bwlq", substr(mnemonic, RSTART)) - 1)
    return 8
}

# The 64-bit register of which this is a part, or "".
function canonical(operand) {
    return operand in names ? names[operand] : ""
}

function is_vector(operand) { return operand ~ /^%([xyz]mm|k[0-7])/ }

# Splits the operands into op[1..count].
function operands(text,    depth, j, c, count) {
    split("", op); count = 1; op[1] = ""
    for (j = 1; j <= length(text); j++) {
        c = substr(text, j, 1)
        if (c == "(") depth++
        if (c == ")") depth--
        if (c == "," && !depth) { sub(/^ +/, "", op[count]); op[++count] = "" }
        else op[count] = op[count] c
    }
    sub(/^ +/, "", op[count])
    for (j = 1; j <= count; j++) {
        gsub(/\{[^}]*\}/, "", op[j])
        sub(/ .*/, "", op[j])
    }
    return text == "" ? 0 : count
}

# The class of an address's registers; `base` becomes that of its base.
function address(operand,    inside, part, j, result) {
    base = "c"
    if (!match(operand, /\(.*\)/)) return "c"
    inside = substr(operand, RSTART + 1, RLENGTH - 2)
    part[1] = part[2] = ""
    split(inside, part, ",")
    gsub(/ /, "", part[1]); gsub(/ /, "", part[2])
    if (is_vector(part[2])) return "t"
    if (part[1] in names) base = class_of(names[part[1]])
    else if (part[1] == "%rip" || part[1] == "") base = "p"
    result = base == "t" ? "t" : "c"
    if (part[2] in names && class_of(names[part[2]]) == "t") result = "t"
    return result
}

# The class of what an operand holds.
function value(operand) {
    if (operand ~ /^\$/) return "c"
    if (operand == "") return "c" # a constant in memory
    if (canonical(operand) != "") return class_of(canonical(operand))
    if (is_vector(operand)) return "t"
    address(operand)
    if (base == "s") return is_slot(operand) ? class_of(operand) : "t"
    return base == "p" ? "c" : "t"
}

function instruction(text,    mnemonic, count, last, j, from, to) {
    mnemonic = text; sub(/ .*/, "", mnemonic)
    sub(/^[^ ]+ */, "", text)

    if (ending && mnemonic !~ /^(pop|add|lea|mov|ret|nop)/) { fault("vzeroupper before the end"); ending = 0 }
    if (mnemonic == "vzeroupper") { ending = 1; return }
    if (mnemonic ~ /^call/) { fault("call"); class["rax"] = "c"; return }
    if (mnemonic ~ /^rep/ || text ~ /^(movs|stos)/) { fault("copies or fills memory"); return }
    if (mnemonic ~ /^v?p?(gather|scatter)/) { fault("gather or scatter"); return }
    if (mnemonic ~ /^(nop|ud2|int3|endbr|pause|.fence|data16|cs)/) return
    if (mnemonic ~ /^ret/) { live = ending = 0; return }
    if (mnemonic ~ /^j/) {
        if (mnemonic != "jmp" && flags == "t") fault("branch depends on data")
        if (match(text, /<L[0-9]+>/)) jump(substr(text, RSTART + 1, RLENGTH - 2))
        else fault(text ~ /^\*/ ? "indirect jump" : "call")
        if (mnemonic ~ /^jmp/) live = 0
        return
    }

    count = operands(text)
    if (!count) { if (mnemonic ~ /^(cqt|clt|cwt|cq|cdq)/) class["rdx"] = class_of("rax"); return }
    last = op[count]
    for (j = 1; j <= count; j++)
        if (op[j] ~ /\(/ && address(op[j]) == "t") {
            if (mnemonic !~ /^lea/) fault("address depends on data")
        }

    # What the instruction reads, but for an old value of its destination.
    from = ""
    for (j = 1; j < count; j++) from = join(from, value(op[j]))
    if (from == "") from = "c"

    if (mnemonic ~ /^v?(ptest|test[ps][sd]|u?comis)|^k(or)?test/) { flags = "t"; return }
    if (mnemonic ~ /^(cmp|test|bt)[bwlq]?$/) { flags = data(join(from, value(last))); return }
    if (mnemonic ~ /^i?div/) {
        if (join(value(last), join(class_of("rax"), class_of("rdx"))) == "t") fault("time depends on data")
        class["rax"] = class["rdx"] = "c"
        return
    }
    if (mnemonic ~ /^i?mul[lq]$/ && count == 1) {
        class["rax"] = class["rdx"] = flags = data(join(value(last), class_of("rax")))
        return
    }
    if (is_vector(last)) return
    if (mnemonic ~ /^push/) return
    if (mnemonic ~ /^pop[lq]?$/) { class[canonical(last)] = "c"; return }

    if (mnemonic ~ /^lea/) {
        from = address(op[1]) == "t" ? "t" : base
        if (from == "p" && op[1] !~ /\(%[a-z0-9]+\)/) from = "c"
    } else if (mnemonic ~ /^set/) {
        from = flags
    } else if (mnemonic ~ /^cmov/) {
        from = join(join(from, value(last)), flags)
    } else if (mnemonic ~ /^(v?mov|v?pextr|v?p?movmsk|kmov|rorx|s[ah][lr]x|v?cvt)/) {
        # writes only
    } else if (mnemonic ~ /^(andn|pext|pdep|bextr|bzhi|popcnt|[lt]zcnt|bs[fr]|imul)/ && count > 1) {
        flags = data(from)
    } else if (mnemonic ~ /^(xor|sub)[lq]?$/ && op[1] == last) {
        flags = from = "c"
    } else if (mnemonic ~ /^(xchg)/) {
        from = join(from, value(last))
        if (canonical(op[1]) != "") class[canonical(op[1])] = from
    } else {
        from = join(from, value(last))
        if (mnemonic ~ /^(adc|sbb|rc[lr])/) from = join(from, flags)
        if (mnemonic !~ /^(not|bswap)/) flags = data(from)
        # Into the stack is still into the stack.
        if (from != "t") from = (value(last) == "s") ? "s" : "c"
    }

    to = canonical(last)
    if (to != "") class[to] = from
    else if (is_slot(last)) store(last, size_of(mnemonic, op[1]), from)
}

function data(kind) { return (kind == "t") ? "t" : "c" }

BEGIN {
    split("ax bx cx dx", legacy); split("si di bp sp", pointers)
    for (j in legacy) {
        r = legacy[j]; x = substr(r, 1, 1)
        names["%r" r] = names["%e" r] = names["%" r] = names["%" x "l"] = names["%" x "h"] = "r" r
    }
    for (j in pointers) {
        r = pointers[j]
        names["%r" r] = names["%e" r] = names["%" r] = names["%" r "l"] = "r" r
    }
    for (j = 8; j < 16; j++)
        names["%r" j] = names["%r" j "d"] = names["%r" j "w"] = names["%r" j "b"] = "r" j
    for (j in names) registers[names[j]]
}
