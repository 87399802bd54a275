/* When a process crashes, its heap may be broken, and it may hold locks of the C library, so the handler does little.
 * A child unwinds its copy of the stack and executes lib/copal/copal-backtrace, which finds functions and lines for the
 * addresses and writes to a pipe. An alarm ends the child if it hangs; if it crashes, only the child ends. The child's
 * end sends no SIGCHLD, because the program may count its children. The handler then restores the default action and
 * returns, and the same instruction crashes again, with the usual exit code and core dump.
 *
 * The unwinder is gcc's, linked statically if possible: it needs no memory, and nothing is loaded at start. */
#include "job/backtrace.h"

#include "common/clock.h"
#include "common/module.h"
#include "job/self.h"
#include "job/settings.h"
#include "job/speak.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum {
    FRAMES = 64,
    PATIENCE = 10, /* seconds; a large program has gigabytes of debug information */
    STACK_BYTES = 128 << 10,
    NEAR_STACK = 64 << 10, /* a fault within this distance of the stack pointer means that the stack is full */
};

static char helper[PATH_MAX]; /* empty: no backtraces */
static char library_path[PATH_MAX]; /* the helper's whole environment */
static char stack[STACK_BYTES]; /* for handlers, because the program's stack may be full */

static const struct {
    int number;
    const char *name;
} crashes[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"}};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };

/* The state of the processor at the crash. */
struct place {
    uintptr_t pc, sp;
};

static struct place place_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    const greg_t *r = context->uc_mcontext.gregs;
    return (struct place){(uintptr_t)r[REG_RIP], (uintptr_t)r[REG_RSP]};
#elif defined(__aarch64__)
    const mcontext_t *m = &context->uc_mcontext;
    return (struct place){m->pc, m->sp};
#else
    return (struct place){0};
#endif
}

/* If the program has called an address that is no function: reports the crash at the call instruction. */
static void step_back(ucontext_t *context)
{
#if defined(__x86_64__)
    greg_t *r = context->uc_mcontext.gregs;
    r[REG_RIP] = *(greg_t *)r[REG_RSP] - 1;
    r[REG_RSP] += (greg_t)sizeof(void *);
#elif defined(__aarch64__)
    context->uc_mcontext.pc = context->uc_mcontext.regs[30] - 4;
#else
    (void)context;
#endif
}

struct frames {
    uintptr_t from; /* the first frame to list; 0: all */
    int n;
    uintptr_t at[FRAMES];
};

static _Unwind_Reason_Code add(struct _Unwind_Context *context, void *list)
{
    struct frames *frames = list;
    int exact = 0; /* 0: the address is a return address */
    const uintptr_t at = _Unwind_GetIPInfo(context, &exact);
    if (frames->from && at != frames->from)
        return _URC_NO_REASON;
    frames->from = 0;
    frames->at[frames->n++] = exact ? at : at - 1;
    return frames->n < FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Called in a copy of the process: its crashes are not reported. */
static void tell_no_more(void)
{
    for (int i = 0; i < CRASHES; i++)
        signal(crashes[i].number, SIG_DFL);
}

/* Runs in the child. */
static _Noreturn void become_helper(int out, char *head, char *data, ucontext_t *context, bool bad_call)
{
    char text[FRAMES][20], *arguments[FRAMES + 4] = {helper, head, data};
    char *environment[] = {library_path, NULL};
    struct frames frames = {0};
    sigset_t none;
    sigemptyset(&none);
    signal(SIGALRM, SIG_DFL);
    tell_no_more();
    sigprocmask(SIG_SETMASK, &none, NULL);
    alarm(PATIENCE);
    if (bad_call)
        step_back(context);
    if (context)
        frames.from = place_of(context).pc;
    const uintptr_t from = frames.from;
    _Unwind_Backtrace(add, &frames);
    if (frames.n == 0)
        frames.at[frames.n++] = from;
    for (int i = 0; i < frames.n; i++) {
        snprintf(text[i], sizeof text[i], "%lx", (unsigned long)frames.at[i]);
        arguments[3 + i] = text[i];
    }
    dup2(out, STDOUT_FILENO);
    execve(helper, arguments, environment);
    _exit(1);
}

/* Gets the helper's text; returns its length. The helper prints head, if not empty, above the lines; data is "@" and an
 * address from the message. */
static size_t trace(char *text, size_t room, char *head, char *data, ucontext_t *context, bool bad_call)
{
    int ends[2];
    if (!helper[0] || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return 0;
    const pid_t child = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0); /* a fork that runs no handlers */
    if (child == 0)
        become_helper(ends[1], head, data, context, bad_call);
    while (child > 0 && waitpid(child, NULL, __WALL) < 0 && errno == EINTR)
        ;
    const ssize_t n = read(ends[0], text, room); /* a pipe holds all of it */
    close(ends[0]);
    close(ends[1]);
    return n > 0 ? (size_t)n : 0;
}

/* Addresses in the program differ between processes; offsets from its headers do not. */
static uint64_t offset_of(uintptr_t at)
{
    const uintptr_t head = getauxval(AT_PHDR), distance = at - head;
    return distance < (uintptr_t)1 << 32 ? distance : 0;
}

static _Unwind_Reason_Code add_offset(struct _Unwind_Context *context, void *hash)
{
    uint64_t *all = hash;
    *all = *all * 1099511628211u + offset_of(_Unwind_GetIP(context));
    return _URC_NO_REASON;
}

uint64_t backtrace_hash(void)
{
    uint64_t hash = 0;
    if (helper[0])
        _Unwind_Backtrace(add_offset, &hash);
    return hash;
}

size_t backtrace_text(char *text, size_t room, const char *sentence)
{
    char data[24] = "@0";
    const char *address = strstr(sentence, " 0x");
    if (address)
        snprintf(data, sizeof data, "@%.*s", (int)strspn(address + 1, "0123456789abcdefx"), address + 1);
    return trace(text, room, "", data, NULL, false);
}

void backtrace_say(void)
{
    char text[BACKTRACE_BYTES];
    if (write(STDERR_FILENO, text, backtrace_text(text, sizeof text, "")) < 0) { /* it cannot be reported */ }
}

void backtrace_place(char *place, size_t room)
{
    char text[BACKTRACE_BYTES];
    const size_t n = trace(text, sizeof text - 1, "", "@0", NULL, false);
    text[n] = '\0';
    text[strcspn(text, "\n")] = '\0';
    snprintf(place, room, "%s", text + strspn(text, " "));
}

static void explain(char *head, size_t room, int number, const siginfo_t *info, const struct place *at)
{
    const char *name = "a signal";
    for (int i = 0; i < CRASHES; i++)
        if (crashes[i].number == number)
            name = crashes[i].name;
    const uintptr_t address = (uintptr_t)info->si_addr;
    const bool has_address = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0 && info->si_code != SI_KERNEL;
    if (has_address && address - (at->sp - NEAR_STACK) < 2 * NEAR_STACK)
        snprintf(head, room, "%s, because the stack is full: endless recursion, or large local arrays (see ulimit -s)",
                 name);
    else if (has_address)
        snprintf(head, room, "%s at address %#lx", name, (unsigned long)address);
    else if (number == SIGFPE && info->si_code == FPE_INTDIV)
        snprintf(head, room, "%s, an integer is divided by zero", name);
    else
        snprintf(head, room, "%s", name);
}

static void say_crash(int number, const siginfo_t *info, ucontext_t *context)
{
    char head[200], text[BACKTRACE_BYTES];
    const struct place at = place_of(context);
    explain(head, sizeof head, number, info, &at);
    const int who = snprintf(text, sizeof text, "copal: PE %d: ", self.pe);
    if (!speak_begin(head, offset_of(at.pc)))
        return;
    const bool bad_call = at.pc == (uintptr_t)info->si_addr && number == SIGSEGV && info->si_code > 0;
    size_t n = trace(text + who, sizeof text - (size_t)who - 1, head, "@0", context, bad_call);
    if (n == 0) /* the thread has no frame of the program, or its stack cannot be read */
        n = (size_t)snprintf(text + who, sizeof text - (size_t)who, "%s, in a thread without a frame of the program\n",
                             head);
    speak_end(text, (size_t)who + n);
}

/* The first thread that crashes prints the report, and then ends the process. */
static void on_crash(int number, siginfo_t *info, void *context)
{
    static _Atomic bool taken;
    const int error = errno;
    if (getpid() == self.pid) {
        if (atomic_exchange(&taken, true))
            clock_nap((uint64_t)2 * PATIENCE * 1000000000);
        job_flush_in_copy(); /* the program's output precedes the report */
        say_crash(number, info, context);
    }
    signal(number, SIG_DFL);
    if (info->si_code <= 0) /* a process has sent the signal, so no crash follows */
        raise(number);
    errno = error;
}

/* Sanitizers report crashes in more detail. */
extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

void backtrace_prepare(void)
{
    if (setting_privileged() || !setting_on(SETTING_SHMEM_BACKTRACE) || !module_path("copal-backtrace", helper) ||
        access(helper, X_OK) != 0)
        helper[0] = '\0';
    const char *path = setting_text(SETTING_LD_LIBRARY_PATH);
    snprintf(library_path, sizeof library_path, "LD_LIBRARY_PATH=%s", path ? path : "");
}

void backtrace_begin(void)
{
    backtrace_prepare();
    if (!helper[0] || __sanitizer_print_stack_trace)
        return;
    stack_t before, ours = {.ss_sp = stack, .ss_size = sizeof stack};
    if (sigaltstack(NULL, &before) == 0 && before.ss_flags & SS_DISABLE)
        sigaltstack(&ours, NULL);
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (int i = 0; i < CRASHES; i++)
        sigaddset(&action.sa_mask, crashes[i].number);
    for (int i = 0; i < CRASHES; i++) {
        struct sigaction old;
        if (sigaction(crashes[i].number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(crashes[i].number, &action, NULL);
    }
}
