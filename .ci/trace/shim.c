/* For the Python package bochscpu-python 0.4.0, loaded before it: C library functions that it wants of a
 * glibc newer than Debian 12's, and the CPU model named by BOCHS_CPU in place of its own choice. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
    return strtoull(text, end, base);
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}

void *_Z23create_corei3_cnl_cpuidP8BX_CPU_C(void *cpu) {
    const char *model = getenv("BOCHS_CPU"), *library = getenv("BOCHS_SO");
    char symbol[128];
    snprintf(symbol, sizeof symbol, "_Z%zucreate_%s_cpuidP8BX_CPU_C", strlen(model) + 13, model);
    void *handle = dlopen(library, RTLD_NOLOAD | RTLD_NOW);
    void *(*make)(void *) = handle ? (void *(*)(void *))dlsym(handle, symbol) : 0;
    if (!make) {
        fprintf(stderr, "no CPU model %s\n", model);
        abort();
    }
    return make(cpu);
}
