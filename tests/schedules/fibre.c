/* A switch saves only the registers that a called function must keep: no signal mask, no rounding mode. */
#include "fibre.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

enum { STACK_BYTES = 1 << 20, PAGE = 1 << 16 };

/* void fibre_registers(void **from, void *to) */
#if defined(__x86_64__)
enum { SAVED = 6, RETURN = 6 };
__asm__(".text\n.globl fibre_registers\n.hidden fibre_registers\n.type fibre_registers, @function\nfibre_registers:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n"
        ".size fibre_registers, .-fibre_registers\n");
#elif defined(__aarch64__)
enum { SAVED = 20, RETURN = 11 };
__asm__(".text\n.globl fibre_registers\n.hidden fibre_registers\n.type fibre_registers, %function\nfibre_registers:\n"
        "sub sp, sp, #160\n"
        "stp x19, x20, [sp]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\nstp x25, x26, [sp, #48]\n"
        "stp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\nstp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\n"
        "stp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\n"
        "mov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
        "ldp x19, x20, [sp]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, #48]\n"
        "ldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\nldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\n"
        "ldp d12, d13, [sp, #128]\nldp d14, d15, [sp, #144]\n"
        "add sp, sp, #160\nret\n.size fibre_registers, .-fibre_registers\n");
#else
#error "fibre_registers is written for x86-64 and AArch64"
#endif
void fibre_registers(void **from, void *to) __attribute__((visibility("hidden")));

void fibre_make(struct fibre *fibre)
{
    char *low = mmap(NULL, STACK_BYTES + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (low == MAP_FAILED || mprotect(low, PAGE, PROT_NONE)) {
        fprintf(stderr, "schedules: no memory for a stack of %d bytes\n", STACK_BYTES);
        exit(2);
    }
    fibre->stack = low + PAGE;
}

void fibre_begin(struct fibre *fibre, void (*run)(void))
{
    void **top = (void **)(void *)((char *)fibre->stack + STACK_BYTES) - SAVED - 4;
    memset(top, 0, (SAVED + 4) * sizeof *top);
    top[RETURN] = (void *)(uintptr_t)run;
    fibre->top = top;
    fibre->shadow = NULL;
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(fibre->stack, STACK_BYTES); /* the old fibre's functions have not returned */
#endif
}

#if defined(__SANITIZE_ADDRESS__)
static const void *thread_stack; /* the first fibre that runs gets this address */
static size_t thread_bytes;

static void leave_for(struct fibre *from, const struct fibre *to)
{
    __sanitizer_start_switch_fiber(&from->shadow, to->stack ? to->stack : thread_stack,
                                   to->stack ? STACK_BYTES : thread_bytes);
}

static void come_back(struct fibre *fibre)
{
    const void *stack;
    size_t bytes;
    __sanitizer_finish_switch_fiber(fibre ? fibre->shadow : NULL, &stack, &bytes);
    if (!thread_stack)
        thread_stack = stack, thread_bytes = bytes;
}
#else
static void leave_for(struct fibre *from, const struct fibre *to)
{
    (void)from, (void)to;
}

static void come_back(struct fibre *fibre)
{
    (void)fibre;
}
#endif

void fibre_switch(struct fibre *from, struct fibre *to)
{
    leave_for(from, to);
    fibre_registers(&from->top, to->top);
    come_back(from);
}

void fibre_begun(void)
{
    come_back(NULL);
}
