/* Collective subroutines. */
#include "abi.h"
#include "broadcast.h"
#include "operation.h"

#include <float.h>
#include <stdlib.h>

/* gfortran 12 to 15 pass errmsg by value unless it is a dummy argument or allocatable. A variable of more than 16
 * characters then lies on the stack, and the following arguments take the positions of earlier ones. The program's
 * variable then cannot be written, and nothing else may be overwritten. A small number is a length, not an address, and
 * an address is written by a system call, which checks it. */
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

/* The length argument, whose value may be passed as errmsg (see above). */
static int length_of(int length, const char *errmsg)
{
    const uintptr_t address = (uintptr_t)errmsg;
    return address && address < NO_ADDRESS_BELOW ? (int)address : length;
}

static void operand_of(struct caf_section *s, const struct gfortran_descriptor *d)
{
    gfortran_note_shapes();
    gfortran_section(s, d, 0, d->base);
    s->kind = (int)(s->type == CAF_COMPLEX ? s->size / 2 : s->size);
}

GFORTRAN_API void _gfortran_caf_co_broadcast(struct gfortran_descriptor *d, int source_image, int *stat, char *errmsg,
                                             size_t errmsg_len)
{
    struct broadcast b;
    struct caf_section a;
    d = gfortran_broadcast_begin(&b, d);
    operand_of(&a, d);
    if (b.is_without_span)
        a.dim[0].step = (ptrdiff_t)a.size;
    const int status = caf_co_broadcast(&a, source_image);
    gfortran_broadcast_end(&b);
    report(status, stat, errmsg, errmsg_len);
}

/* gfortran does not always pass the kind. A wrong guess would give a wrong result without a message. */
static int check_real(const char *statement, const struct caf_section *a)
{
    if ((a->type != CAF_REAL && a->type != CAF_COMPLEX) || a->kind != 16 || LDBL_MANT_DIG != 64)
        return CAF_OK;
    return caf_say(CAF_STAT_ERROR, "%s: gfortran does not pass whether the kind is 10 or 16; use co_reduce with a "
                   "function", statement);
}

static int find_character_kind(const char *statement, struct caf_section *a, int length)
{
    if (a->type != CAF_CHARACTER)
        return CAF_OK;
    a->kind = a->size == (size_t)length ? 1 : 4;
    if (a->size == (size_t)a->kind * (size_t)length)
        return CAF_OK;
    return caf_say(CAF_STAT_ERROR, "%s: gfortran passes %d as the length of characters of %zu bytes; errmsg should be "
                   "allocatable", statement, length, a->size);
}

static int reduce(const char *statement, enum caf_reduction reduction, const struct gfortran_descriptor *d,
                  int result_image, int length)
{
    struct caf_section a;
    operand_of(&a, d);
    int status = check_real(statement, &a);
    status = status ? status : find_character_kind(statement, &a, length);
    return status ? status : caf_co_reduce_intrinsic(reduction, &a, result_image);
}

GFORTRAN_API void _gfortran_caf_co_sum(struct gfortran_descriptor *d, int result_image, int *stat, char *errmsg,
                                       size_t errmsg_len)
{
    report(reduce("co_sum", CAF_CO_SUM, d, result_image, 0), stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_co_min(struct gfortran_descriptor *d, int result_image, int *stat, char *errmsg,
                                       int length, size_t errmsg_len)
{
    length = length_of(length, errmsg);
    report(reduce("co_min", CAF_CO_MIN, d, result_image, length), stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_co_max(struct gfortran_descriptor *d, int result_image, int *stat, char *errmsg,
                                       int length, size_t errmsg_len)
{
    length = length_of(length, errmsg);
    report(reduce("co_max", CAF_CO_MAX, d, result_image, length), stat, errmsg, errmsg_len);
}

static int reduce_by(const struct gfortran_descriptor *d, void (*function)(void), int flags, int result_image,
                     int length)
{
    struct caf_section a;
    struct operation operation;
    operand_of(&a, d);
    int status = find_character_kind("co_reduce", &a, length);
    if (status)
        return status;
    caf_combine *f = gfortran_operation_begin(&operation, &a, function, flags, length);
    status = f ? caf_co_reduce(&a, f, &operation, result_image) : CAF_STAT_ERROR;
    gfortran_operation_end(&operation);
    return status;
}

GFORTRAN_API void _gfortran_caf_co_reduce(struct gfortran_descriptor *d, void (*function)(void), int flags,
                                          int result_image, int *stat, char *errmsg, int length, size_t errmsg_len)
{
    length = length_of(length, errmsg);
    report(reduce_by(d, function, flags, result_image, length), stat, errmsg, errmsg_len);
}
