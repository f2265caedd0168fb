// Preloaded on AArch64: another CPU's AT_HWCAP, with the bits of $HWCAP_CLEAR cleared and those of
// $HWCAP_SET set.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/auxv.h>

static unsigned long bits(const char *variable) {
    const char *value = getenv(variable);
    return value ? strtoul(value, NULL, 0) : 0;
}

unsigned long getauxval(unsigned long type) {
    unsigned long (*real)(unsigned long) = dlsym(RTLD_NEXT, "getauxval");
    unsigned long value = real(type);
    if (type == AT_HWCAP)
        value = (value & ~bits("HWCAP_CLEAR")) | bits("HWCAP_SET");
    return value;
}
