/* Functions run by another image's processor. The OpenSHMEM runs them after all earlier puts of this image to that
 * image, and in order with the accesses of at most caf_in_order bytes. */
#include "../caf.h"

#if CAF_HAVE_CALLS
#include "../memory/heap.h"
#include "held.h"

void caf_register(uint32_t number, caf_function function)
{
    shmemx_register(number, function);
}

void caf_register_stand_in(uint32_t number, void (*run)(int from, int pe, void *args, size_t bytes))
{
    caf_stand_in.number = number;
    caf_stand_in.run = run;
}

bool caf_can_call(int pe)
{
    return pe != caf_my_pe && !shmem_ptr(caf_heap, pe);
}

int caf_call(int pe, uint32_t number, const struct iovec *args, size_t n, caf_receiver receive, void *context)
{
    caf_release();
    if (shmemx_call(pe, number, args, n, receive, context) != 0)
        return CAF_STAT_FAILED_IMAGE;
    caf_note_reply(pe);
    return CAF_OK;
}

void caf_post(int pe, uint32_t number, const struct iovec *args, size_t n)
{
    if (!caf_hold_call(pe, number, args, n))
        caf_post_now(pe, number, args, n);
}

void caf_notify(int pe, uint64_t *word, uint64_t value)
{
    shmemx_notify(word, value, pe);
}

#else

void caf_register(uint32_t number, caf_function function)
{
    (void)number, (void)function;
}

void caf_register_stand_in(uint32_t number, void (*run)(int from, int pe, void *args, size_t bytes))
{
    (void)number, (void)run;
}

bool caf_can_call(int pe)
{
    (void)pe;
    return false;
}

static _Noreturn void no_calls(int pe)
{
    caf_fatal("access to image on PE %d: this OpenSHMEM does not run functions on other PEs", pe);
}

int caf_call(int pe, uint32_t number, const struct iovec *args, size_t n, caf_receiver receive, void *context)
{
    (void)number, (void)args, (void)n, (void)receive, (void)context;
    no_calls(pe);
}

void caf_post(int pe, uint32_t number, const struct iovec *args, size_t n)
{
    (void)number, (void)args, (void)n;
    no_calls(pe);
}

void caf_notify(int pe, uint64_t *word, uint64_t value)
{
    (void)word, (void)value;
    no_calls(pe);
}

#endif
