// Runs a program and lets one of its system calls that change files fail, or kills it there.
//
//     faults --below DIR [--report FILE] [--at N --how kill|tear|EIO|ENOSPC|EACCES] -- PROGRAM ARGUMENT...
//
// Calls are counted from 1, over all threads, where they change something below DIR: opening for creation, writing, changing a
// length, flushing, renaming, linking, removing, making a folder.
//
//   kill     the process is killed before the N-th of them
//   tear     the N-th, if it writes, writes half of what it should, and then the process is killed; else as kill
//   EIO      the N-th fails
//   ENOSPC   the N-th fails and so do all later ones that take space: the disk is full
//   EACCES   the N-th fails
//
// The report has the number of calls and the name of the one that was hit. Exit: that of the program, 137 where it was killed.
//
// A tracer and not a preloaded library: what renames temporary files calls the kernel and not the C library. A filter
// stops the program at these calls alone, so it runs nearly as fast as without. For x86-64 Linux.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// What a call refers to a file by.
enum place { DESCRIPTOR, PATH, PATH_AT, TWO_PATHS, TWO_PATHS_AT, OPENED, OPENED_AT };

static const struct call {
    long number;
    const char *name;
    enum place place;
    int takes_space;
} CALLS[] = {
    {SYS_write, "write", DESCRIPTOR, 1},
    {SYS_writev, "writev", DESCRIPTOR, 1},
    {SYS_pwrite64, "pwrite64", DESCRIPTOR, 1},
    {SYS_ftruncate, "ftruncate", DESCRIPTOR, 1},
    {SYS_fallocate, "fallocate", DESCRIPTOR, 1},
    {SYS_copy_file_range, "copy_file_range", DESCRIPTOR, 1},
    {SYS_fsync, "fsync", DESCRIPTOR, 1},
    {SYS_fdatasync, "fdatasync", DESCRIPTOR, 1},
    {SYS_open, "open", OPENED, 1},
    {SYS_openat, "openat", OPENED_AT, 1},
    {SYS_mkdir, "mkdir", PATH, 1},
    {SYS_mkdirat, "mkdirat", PATH_AT, 1},
    {SYS_link, "link", TWO_PATHS, 1},
    {SYS_linkat, "linkat", TWO_PATHS_AT, 1},
    {SYS_rename, "rename", TWO_PATHS, 0},
    {SYS_renameat, "renameat", TWO_PATHS_AT, 0},
    {SYS_renameat2, "renameat2", TWO_PATHS_AT, 0},
    {SYS_unlink, "unlink", PATH, 0},
    {SYS_unlinkat, "unlinkat", PATH_AT, 0},
    {SYS_rmdir, "rmdir", PATH, 0},
};
enum { N_CALLS = sizeof CALLS / sizeof *CALLS };

static const char *below;
static long at = LONG_MAX;
static const char *how = "";
static long counted;
static char hit[2 * PATH_MAX] = "";

static void die(const char *what) {
    perror(what);
    exit(125);
}

static const struct call *call_of(long number) {
    for (int i = 0; i < N_CALLS; i++)
        if (CALLS[i].number == number)
            return &CALLS[i];
    return NULL;
}

// In the child: stop for the tracer at the calls above.
static void filter_calls(void) {
    struct sock_filter program[N_CALLS + 3];
    int n = 0;
    program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < N_CALLS; i++)
        program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALLS[i].number, N_CALLS - i, 0);
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog all = {.len = n, .filter = program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
        die("seccomp");
}

static void read_string(pid_t pid, unsigned long from, char *into, size_t size) {
    size_t n = 0;
    while (n + 1 < size) {
        errno = 0;
        long word = ptrace(PTRACE_PEEKDATA, pid, from + n, NULL);
        if (errno)
            break;
        for (size_t i = 0; i < sizeof word && n + 1 < size; i++) {
            into[n] = ((char *)&word)[i];
            if (!into[n++])
                return;
        }
    }
    into[n] = 0;
}

static void read_link(pid_t pid, const char *what, long number, char *into) {
    char name[64];
    snprintf(name, sizeof name, number < 0 ? "/proc/%d/%s" : "/proc/%d/%s/%ld", pid, what, number);
    ssize_t length = readlink(name, into, PATH_MAX - 1);
    into[length < 0 ? 0 : length] = 0;
}

static void read_path(pid_t pid, int folder, unsigned long path, char *into) {
    char named[PATH_MAX], base[PATH_MAX];
    read_string(pid, path, named, sizeof named);
    if (*named == '/') {
        strcpy(into, named);
        return;
    }
    if (folder == AT_FDCWD)
        read_link(pid, "cwd", -1, base);
    else
        read_link(pid, "fd", folder, base);
    snprintf(into, PATH_MAX, "%.2000s/%.2000s", base, named);
}

static int is_below(const char *path) {
    size_t length = strlen(below);
    return !strncmp(path, below, length) && (path[length] == '/' || !path[length]);
}

// Does the call change a file below the folder? Its path then stands in `path`.
static int changes(pid_t pid, const struct call *call, const struct user_regs_struct *regs, char *path) {
    switch (call->place) {
    case DESCRIPTOR: {
        long descriptor = call->number == SYS_copy_file_range ? (long)regs->rdx : (long)(int)regs->rdi;
        read_link(pid, "fd", descriptor, path);
        return is_below(path);
    }
    case OPENED:
        read_path(pid, AT_FDCWD, regs->rdi, path);
        return (regs->rsi & (O_CREAT | O_TRUNC)) && is_below(path);
    case OPENED_AT:
        read_path(pid, regs->rdi, regs->rsi, path);
        return (regs->rdx & (O_CREAT | O_TRUNC)) && is_below(path);
    case PATH:
        read_path(pid, AT_FDCWD, regs->rdi, path);
        return is_below(path);
    case PATH_AT:
        read_path(pid, regs->rdi, regs->rsi, path);
        return is_below(path);
    case TWO_PATHS:
        read_path(pid, AT_FDCWD, regs->rsi, path);
        return is_below(path);
    case TWO_PATHS_AT:
        read_path(pid, regs->rdx, regs->r10, path);
        return is_below(path);
    }
    return 0;
}

// Returns whether the thread is to be stopped again when the call has ended.
static int at_call(pid_t pid, pid_t process) {
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, pid, NULL, &regs))
        return 0;
    const struct call *call = call_of(regs.orig_rax);
    char path[2 * PATH_MAX];
    if (!call || !changes(pid, call, &regs, path))
        return 0;
    counted++;
    int full = !strcmp(how, "ENOSPC") && counted > at && call->takes_space;
    if (counted != at && !full)
        return 0;
    if (counted == at)
        snprintf(hit, sizeof hit, "%s %.2000s", call->name, path);
    if (!strcmp(how, "tear") && (call->number == SYS_write || call->number == SYS_pwrite64) && regs.rdx > 1) {
        regs.rdx /= 2;
        ptrace(PTRACE_SETREGS, pid, NULL, &regs);
        return 1;
    }
    if (!strcmp(how, "kill") || !strcmp(how, "tear")) {
        kill(process, SIGKILL);
        return 0;
    }
    int error = !strcmp(how, "ENOSPC") ? ENOSPC : !strcmp(how, "EACCES") ? EACCES : EIO;
    if (error == ENOSPC && !call->takes_space)
        return 0;
    regs.orig_rax = -1;
    regs.rax = -error;
    ptrace(PTRACE_SETREGS, pid, NULL, &regs);
    return 0;
}

static int follow(pid_t process) {
    int status;
    if (waitpid(process, &status, 0) != process || !WIFSTOPPED(status))
        die("waitpid");
    long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
                   PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD;
    if (ptrace(PTRACE_SETOPTIONS, process, NULL, options) || ptrace(PTRACE_CONT, process, NULL, NULL))
        die("ptrace");
    for (;;) {
        pid_t pid = waitpid(-1, &status, __WALL);
        if (pid < 0)
            return 125;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (pid == process)
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int signal = WSTOPSIG(status), again = 0;
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
            again = at_call(pid, process);
            signal = 0;
        } else if (signal == (SIGTRAP | 0x80)) {
            // The torn call has ended.
            kill(process, SIGKILL);
            signal = 0;
        } else if (status >> 16 || signal == SIGSTOP) {
            signal = 0;
        }
        ptrace(again ? PTRACE_SYSCALL : PTRACE_CONT, pid, NULL, signal);
    }
}

int main(int n, char **words) {
    const char *report = NULL;
    int i = 1;
    for (; i + 1 < n && strcmp(words[i], "--"); i += 2) {
        if (!strcmp(words[i], "--below"))
            below = words[i + 1];
        else if (!strcmp(words[i], "--report"))
            report = words[i + 1];
        else if (!strcmp(words[i], "--at"))
            at = atol(words[i + 1]);
        else if (!strcmp(words[i], "--how"))
            how = words[i + 1];
        else
            break;
    }
    if (!below || i + 1 >= n || strcmp(words[i], "--")) {
        fprintf(stderr, "faults --below DIR [--report FILE] [--at N --how HOW] -- PROGRAM ARGUMENT...\n");
        return 125;
    }
    pid_t process = fork();
    if (process < 0)
        die("fork");
    if (!process) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
            die("ptrace");
        raise(SIGSTOP);
        filter_calls();
        execvp(words[i + 1], words + i + 1);
        die(words[i + 1]);
    }
    // Whoever ends the program by a signal to its group still gets the report.
    signal(SIGTERM, SIG_IGN);
    int code = follow(process);
    FILE *said = report ? fopen(report, "w") : NULL;
    if (said) {
        fprintf(said, "%ld %s\n", counted, hit);
        fclose(said);
    }
    return code;
}
