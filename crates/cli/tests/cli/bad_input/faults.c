// Loaded before the C library: calls that fail or lie as those of some file systems and clocks do.
//
//   FAULT_FLOCK=N    every lock of a file fails with this number of an error
//   FAULT_FULL=N     the disk is full after so many bytes in files
//   FAULT_FULL_IN=T  the disk of all files whose path contains this text is, and no other
//   FAULT_CLOCK=1    every look at a clock finds it a second earlier than the last

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long of(const char *name) {
    const char *value = getenv(name);
    return value ? atol(value) : 0;
}

int flock(int file, int operation) {
    if (of("FAULT_FLOCK")) {
        errno = (int)of("FAULT_FLOCK");
        return -1;
    }
    return (int)syscall(SYS_flock, file, operation);
}

static int is_in_full_folder(int file) {
    const char *folder = getenv("FAULT_FULL_IN");
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t n = folder ? readlink(link, path, sizeof path - 1) : -1;
    if (n < 0)
        return 0;
    path[n] = 0;
    return strstr(path, folder) != NULL;
}

ssize_t write(int file, const void *bytes, size_t n) {
    static atomic_long written;
    struct stat found;
    int is_full = getenv("FAULT_FULL_IN") ? is_in_full_folder(file) : of("FAULT_FULL") > 0;
    if (is_full && fstat(file, &found) == 0 && S_ISREG(found.st_mode)
        && atomic_fetch_add(&written, (long)n) + (long)n > of("FAULT_FULL")) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, file, bytes, n);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static atomic_long looks;
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (of("FAULT_CLOCK"))
        now->tv_sec -= atomic_fetch_add(&looks, 1);
    return failed;
}
