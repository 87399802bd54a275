/* x = a[k] of a type with allocatable components.
 *
 * gfortran copies the object from the other image by its bytes, so x%v points to memory of that image.  gfortran 12 to
 * 14 then use and free it as their own; 15 and 16 copy from that address, which between nodes holds other data.
 * Allocatable components cannot be distinguished from pointers, which may be copied this way and become undefined
 * (Fortran 2018, 19.5.2.5).  Both therefore get an unmapped address, and a message explains the fault of a program that
 * uses one.  allocated() and size() are right, and gfortran_free ignores the address. */
#include "allocation.h"
#include "components.h"

#include <signal.h>

enum { SIGNALS = 2, HIDDEN_END = 4 << 20 /* below every program's memory */ };
static const int signals[SIGNALS] = {SIGSEGV, SIGBUS};
static struct sigaction before[SIGNALS];
static int hidden_image; /* the image from which the last object with hidden components came; 0: none */

/* The earlier handler gets all other faults. */
static void pass_on(int signal_number, siginfo_t *info, void *context, const struct sigaction *to)
{
    if (to->sa_flags & SA_SIGINFO)
        to->sa_sigaction(signal_number, info, context);
    else if (to->sa_handler == SIG_DFL || to->sa_handler == SIG_IGN)
        sigaction(signal_number, to, NULL); /* the instruction is executed again */
    else
        to->sa_handler(signal_number);
}

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    const uintptr_t at = (uintptr_t)info->si_addr;
    if (at >= (uintptr_t)GFORTRAN_HIDDEN && at < HIDDEN_END)
        caf_fatal("get: the program uses x%%v, an allocatable or pointer component of an object copied from image %d%s "
                  "by x = a[%d]: gfortran copies the object without it; write x%%v = a[%d]%%v for each allocatable "
                  "component (if v is a scalar, 'deallocate (x%%v)' first)", hidden_image, caf_of_current_team(),
                  hidden_image, hidden_image);
    pass_on(signal_number, info, context, &before[signal_number == SIGSEGV ? 0 : 1]);
}

static void note(int image)
{
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_NODEFER | SA_SIGINFO};
    if (!hidden_image)
        for (int i = 0; i < SIGNALS; i++)
            sigaction(signals[i], &ours, &before[i]);
    hidden_image = image;
}

static bool hide(const struct gfortran_descriptor *d, int dims, char *at)
{
    if (dims == 0)
        return gfortran_hide_components(at, d->dtype.elem_len);
    const struct gfortran_dim *dim = &d->dim[dims - 1];
    bool any = false;
    for (size_t i = 0; i < gfortran_extent(dim); i++)
        any |= hide(d, dims - 1, at + (ptrdiff_t)i * dim->stride * d->span);
    return any;
}

void gfortran_hide_components_of(const struct gfortran_descriptor *objects, int image)
{
    if (objects->dtype.elem_len % sizeof(caf_token) == 0 && hide(objects, objects->dtype.rank, objects->base))
        note(image);
}
