/* Reads array descriptors, and reports errors in them. */
#include "descriptor.h"

#include <inttypes.h>
#include <shmemx.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/auxv.h>

_Noreturn void fortran_fatal(const char *routine, const char *format, ...)
{
    char text[512], line[640]; /* fprintf may write a line in pieces, between which other PEs write */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "copal: PE %d: %s: %s\n", shmem_my_pe(), routine, text);
    fputs(line, stderr);
    shmemx_backtrace();
    shmem_global_exit(1);
}

enum { CATEGORY = CFI_type_mask };

static bool is_address(ARRAY *data)
{
    return data->type == CFI_type_cptr && data->rank == 0;
}

char *type_name(CFI_type_t type, size_t size, char *text)
{
    static const char *const names[] = {[CFI_type_Integer] = "integer", [CFI_type_Logical] = "logical",
                                        [CFI_type_Real] = "real",       [CFI_type_Complex] = "complex"};
    const int category = type & CATEGORY;
    if (category == CFI_type_Character)
        snprintf(text, 40, "character(%zu)", size);
    else if (category >= CFI_type_Integer && category <= CFI_type_Complex)
        snprintf(text, 40, "%s(%d)", names[category], type >> CFI_type_kind_shift);
    else if (type == CFI_type_cptr)
        snprintf(text, 40, "type(c_ptr)");
    else
        snprintf(text, 40, "a derived type of %zu bytes", size);
    return text;
}

/* For an expression, gfortran 16 passes the value instead of the address.  A number is a value if it cannot be an
 * address: a program has no negative addresses (they are the kernel's), and none below 64 KiB; if it is loaded above
 * 4 GiB, as is usual, none below 4 GiB. */
static const void *scalar_of(ARRAY *argument)
{
    const uintptr_t high = (uintptr_t)1 << 32, first = getauxval(AT_PHDR) < high ? 1 << 16 : high;
    const uintptr_t at = (uintptr_t)argument->base_addr;
    return at < first || (intptr_t)at < 0 ? &argument->base_addr : argument->base_addr;
}

int64_t integer_of(ARRAY *argument, const char *name, const char *routine)
{
    char text[40];
    if (argument->rank != 0 || (argument->type & CATEGORY) != CFI_type_Integer)
        fortran_fatal(routine, "argument %s is %s %s, allowed is an integer scalar", name,
                      argument->rank ? "an array of" : "of type", type_name(argument->type, argument->elem_len, text));
    const void *scalar = scalar_of(argument);
    switch (argument->elem_len) {
    case 1: return *(const int8_t *)scalar;
    case 2: return *(const int16_t *)scalar;
    case 4: return *(const int32_t *)scalar;
    case 8: return *(const int64_t *)scalar;
    default: fortran_fatal(routine, "argument %s is of type integer(16), allowed are kinds 1 to 8", name);
    }
}

size_t count_of(ARRAY *argument, const char *name, const char *routine)
{
    const int64_t n = integer_of(argument, name, routine);
    if (n < 0)
        fortran_fatal(routine, "argument %s is %" PRId64 ", allowed is 0 and more", name, n);
    return (size_t)n;
}

void *address_of(ARRAY *data, size_t n, const char *name, const char *routine)
{
    if (is_address(data))
        return *(void *const *)data->base_addr;
    size_t elements = 1;
    bool contiguous = true, size_known = data->rank > 0; /* a scalar may be the first of several elements */
    for (int i = 0; i < data->rank; i++) {
        const CFI_dim_t *d = &data->dim[i];
        if (d->extent != 1 && d->sm != (CFI_index_t)(elements * data->elem_len))
            contiguous = false;
        if (d->extent < 0) /* the last dimension of an assumed-size array */
            size_known = false;
        else
            elements *= (size_t)d->extent;
    }
    if (!contiguous && elements > 0)
        fortran_fatal(routine, "argument %s is an array section with gaps; allowed is contiguous data (pass the first "
                      "element, and use shmem_iput, shmem_iget and similar routines for strides)", name);
    if (size_known && n > elements)
        fortran_fatal(routine, "argument %s has %zu elements, but the call uses %zu", name, elements, n);
    return data->base_addr;
}

static void refuse_address(ARRAY *data, const char *name, const char *routine)
{
    if (is_address(data))
        fortran_fatal(routine, "argument %s is of type(c_ptr), which only a symmetric argument may be; pass the data "
                      "itself", name);
}

struct pair pair_of(ARRAY *dest, ARRAY *source, size_t n, int symmetric, const char *routine)
{
    char one[40], other[40];
    if (!(symmetric & DEST))
        refuse_address(dest, "dest", routine);
    if (!(symmetric & SOURCE))
        refuse_address(source, "source", routine);
    ARRAY *typed = is_address(dest) ? source : dest;
    if (is_address(typed))
        fortran_fatal(routine, "arguments dest and source are both of type(c_ptr), so the size of an element is "
                      "unknown; use shmem_putmem, shmem_put64 and similar routines");
    if (!is_address(dest) && !is_address(source) && (dest->type != source->type || dest->elem_len != source->elem_len))
        fortran_fatal(routine, "argument dest is of type %s and source of %s, allowed is one type for both",
                      type_name(dest->type, dest->elem_len, one), type_name(source->type, source->elem_len, other));
    return (struct pair){.dest = address_of(dest, n, "dest", routine),
                         .source = address_of(source, n, "source", routine),
                         .type = typed->type, .size = typed->elem_len};
}

size_t product(size_t a, size_t b, const char *name, const char *routine)
{
    size_t result;
    if (__builtin_mul_overflow(a, b, &result))
        fortran_fatal(routine, "argument %s is %zu, which is too many elements of %zu bytes", name, a, b);
    return result;
}
