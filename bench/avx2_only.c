// A library to preload. It hides AVX-512, AMX and later instructions from the whole process: it asks the kernel to refuse the instruction CPUID
// (Linux on x86-64, processors with `cpuid_fault`) and answers in its place, without these bits. The C library asks earlier, so its own
// functions for copying memory are not limited.
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <cpuid.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { REFUSED = 0, ALLOWED = 1 };

static long allow_cpuid(int allowed) { return syscall(SYS_arch_prctl, ARCH_SET_CPUID, allowed); }

static void answer(int signal_number, siginfo_t *info, void *context) {
    (void)info;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *instruction = (const unsigned char *)registers[REG_RIP];
    if (instruction[0] != 0x0f || instruction[1] != 0xa2) {
        // Not CPUID: a fault of the program itself, which ends it when it happens again.
        signal(signal_number, SIG_DFL);
        return;
    }
    unsigned leaf = registers[REG_RAX], subleaf = registers[REG_RCX], a, b, c, d;
    allow_cpuid(ALLOWED);
    __cpuid_count(leaf, subleaf, a, b, c, d);
    allow_cpuid(REFUSED);
    if (leaf == 7 && subleaf == 0) {
        // AVX-512 F, DQ, IFMA, PF, ER, CD, BW, VL; VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ; 4VNNIW, 4FMAPS, VP2INTERSECT, FP16, and AMX.
        b &= ~(1u << 16 | 1u << 17 | 1u << 21 | 1u << 26 | 1u << 27 | 1u << 28 | 1u << 30 | 1u << 31);
        c &= ~(1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14);
        d &= ~(1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25);
    } else if (leaf == 7 && subleaf == 1) {
        // Products of small numbers, which came after AVX2: AVX-VNNI, bf16, AMX-FP16, AVX-IFMA; AVX-VNNI-INT8, AVX-NE-CONVERT, AMX-COMPLEX,
        // AVX-VNNI-INT16, AVX10.
        a &= ~(1u << 4 | 1u << 5 | 1u << 21 | 1u << 23);
        d &= ~(1u << 4 | 1u << 5 | 1u << 8 | 1u << 10 | 1u << 19);
    }
    registers[REG_RAX] = a;
    registers[REG_RBX] = b;
    registers[REG_RCX] = c;
    registers[REG_RDX] = d;
    registers[REG_RIP] += 2;
}

__attribute__((constructor)) static void limit(void) {
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (sigaction(SIGSEGV, &action, NULL) != 0 || allow_cpuid(REFUSED) != 0) {
        fputs("avx2_only: this system cannot hide instructions of the processor (no cpuid_fault in /proc/cpuinfo)\n", stderr);
        exit(1);
    }
}
