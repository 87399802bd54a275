/* PRIF, the Parallel Runtime Interface for Fortran, revision 0.8: what the arguments of its procedures are in C.
 *
 * prif.f90.in declares the procedures for Fortran; no C code calls them.  Arguments are addresses (except the few
 * with VALUE), NULL if an optional one is absent.  Arguments of assumed shape or rank, allocatable arguments and
 * errmsg are descriptors of ISO_Fortran_binding.h (descriptor.h).  Bounds, cosubscripts and sizes are int64_t, strides
 * ptrdiff_t, and extents size_t, dimension(:); PRIF_ATOMIC_INT_KIND and PRIF_ATOMIC_LOGICAL_KIND are 8.
 *
 * A procedure that cannot be BIND(C) is external in the module prif, with a name that ends in an underscore: stop,
 * error_stop and register_stop_callback, whose character argument is an address with a hidden length at the end;
 * image_status, which is elemental; atomic subroutines on logical values of 8 bytes.
 *
 * LLVM's flang calls the same functions by names such as _QMprifPprif_put.  Only allocate_coarray and
 * deallocate_coarray differ: see coarrays.c.
 *
 * image_num is an index in the initial team.  An offset is in bytes from the beginning of the coarray, or of the alias.
 * remote_ptr and similar arguments are addresses on that image. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "descriptor.h"

/* Constants of the document, with the values of flang's ISO_FORTRAN_ENV. */
enum {
    PRIF_CURRENT_TEAM = -1,
    PRIF_INITIAL_TEAM = -2,
    PRIF_PARENT_TEAM = -3,
    PRIF_STAT_FAILED_IMAGE = 101,
    PRIF_STAT_LOCKED = 102,
    PRIF_STAT_LOCKED_OTHER_IMAGE = 103,
    PRIF_STAT_STOPPED_IMAGE = 104,
    PRIF_STAT_UNLOCKED = 105,
    PRIF_STAT_UNLOCKED_FAILED_IMAGE = 106,
    PRIF_STAT_OUT_OF_MEMORY = 301,
    PRIF_STAT_ALREADY_INIT = 302,
    PRIF_STAT_ERROR = 303, /* errors without a name in the document: a bad argument */
};

/* type(prif_coarray_handle): 8 bytes, passed by address, or by value if the document has VALUE. */
typedef uint64_t prif_handle;

/* type(prif_team_type): 40 bytes in flang, of which this library uses the first 8; 8 in the module prif. */
struct prif_team {
    uint64_t name;
};

/* type(prif_event_type), (prif_notify_type), (prif_lock_type), (prif_critical_type): 8 bytes each, initially 0. */

/* Fortran's own interfaces: final_proc and operation_wrapper are BIND(C), a callback is not. */
typedef void prif_cleanup(prif_handle handle);
typedef void prif_operation(const void *arg1, void *arg2_and_out, size_t count, void *cdata);
typedef void prif_stop_callback(const bool *is_error_stop, const bool *quiet, const int *stop_code_int,
                                const char *stop_code_char, size_t len);

/* Each may be NULL. */
#define PRIF_ERRORS int *stat, struct prif_descriptor *errmsg, struct prif_descriptor *errmsg_alloc

/* Arguments: a location in a coarray, or at an address of the image; data there, contiguous or with strides; a variable
 * to notify. */
#define PRIF_DIRECT const int *image_num, const prif_handle *coarray_handle, const size_t *offset
#define PRIF_INDIRECT const int *image_num, const intptr_t *remote_ptr
#define PRIF_BUFFER void *const *current_image_buffer, const size_t *size_in_bytes
#define PRIF_SECTION const struct prif_descriptor *remote_stride, void *const *current_image_buffer, \
    const struct prif_descriptor *current_image_stride, const size_t *element_size, const struct prif_descriptor *extent
#define PRIF_NOTIFY_DIRECT const prif_handle *notify_coarray_handle, const size_t *notify_offset
