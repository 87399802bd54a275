/* Collective subroutines. */
#include "abi.h"
#include "operation.h"
#include "../arena.h"

#include <stdlib.h>

/* gfortran 12 to 15 pass errmsg by value unless it is a dummy argument or allocatable: a variable of more than 16 characters
 * then lies on the stack, and the arguments that follow are where the callee looks for those before.  The program's
 * variable cannot be written then; what must not happen is that something else is.  A length is told from an address by
 * its being small, and addresses are written to by way of the system, which checks them. */
enum { NO_ADDRESS_BELOW = 1 << 16 };

static void report(int status, int *stat, char *errmsg, size_t errmsg_len)
{
    const uintptr_t address = (uintptr_t)errmsg;
    caf_report(status, stat, NULL, 0);
    if (!status || address < NO_ADDRESS_BELOW || errmsg_len == 0 || errmsg_len >= NO_ADDRESS_BELOW)
        return;
    char *text = malloc(errmsg_len);
    if (text) {
        caf_report(status, stat, text, errmsg_len);
        caf_reach_write(caf_pe(NULL, caf_this_image(NULL)), errmsg, text, errmsg_len);
    }
    free(text);
}

/* The length of a's characters, where errmsg may have taken the place of the argument. */
static int length_of(int length, const char *errmsg)
{
    const uintptr_t address = (uintptr_t)errmsg;
    return address && address < NO_ADDRESS_BELOW ? (int)address : length;
}

/* gfortran does not say which of two types of 16 bytes a real has (and of 32 a complex number): see which_real. */
static void operand_of(struct caf_section *s, const struct gfortran_descriptor *d, int length)
{
    struct index_vectors none;
    note_shapes();
    section_of(s, &none, d, 0, d->base, NULL);
    s->kind = (int)s->size;
    if (s->type == CAF_COMPLEX)
        s->kind /= 2;
    else if (s->type == CAF_CHARACTER)
        s->kind = length > 0 && s->size == 4 * (size_t)length ? 4 : 1;
}

GFORTRAN_API void _gfortran_caf_co_broadcast(struct gfortran_descriptor *d, int source_image, int *stat, char *errmsg,
                                             size_t errmsg_len)
{
    struct caf_section a;
    operand_of(&a, d, 0);
    report(caf_co_broadcast(&a, source_image), stat, errmsg, errmsg_len);
}

static int reduce(enum caf_reduction reduction, const struct gfortran_descriptor *d, int result_image, int length)
{
    struct caf_section a;
    operand_of(&a, d, length);
    if ((a.type == CAF_REAL || a.type == CAF_COMPLEX) && a.kind == 16)
        a.kind = which_real(&a);
    return caf_co_reduce_intrinsic(reduction, &a, result_image);
}

GFORTRAN_API void _gfortran_caf_co_sum(struct gfortran_descriptor *d, int result_image, int *stat, char *errmsg,
                                       size_t errmsg_len)
{
    report(reduce(CAF_CO_SUM, d, result_image, 0), stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_co_min(struct gfortran_descriptor *d, int result_image, int *stat, char *errmsg, int length,
                                       size_t errmsg_len)
{
    report(reduce(CAF_CO_MIN, d, result_image, length_of(length, errmsg)), stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_co_max(struct gfortran_descriptor *d, int result_image, int *stat, char *errmsg, int length,
                                       size_t errmsg_len)
{
    report(reduce(CAF_CO_MAX, d, result_image, length_of(length, errmsg)), stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_co_reduce(struct gfortran_descriptor *d, void (*function)(void), int flags, int result_image,
                                          int *stat, char *errmsg, int length, size_t errmsg_len)
{
    struct caf_section a;
    length = length_of(length, errmsg);
    operand_of(&a, d, length);
    struct operation operation;
    caf_combine *f = operation_begin(&operation, &a, function, flags, length);
    report(f ? caf_co_reduce(&a, f, &operation, result_image) : CAF_STAT_ERROR, stat, errmsg, errmsg_len);
    operation_end(&operation);
}
