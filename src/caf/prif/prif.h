/* PRIF, the Parallel Runtime Interface for Fortran, revision 0.8: what compilers and the module prif call.
 *
 * The document describes Fortran procedures; this header declares them for C, in the order of the document.  Arguments
 * are addresses (except the few with VALUE), NULL if an optional one is absent.  Arguments of assumed shape or rank,
 * allocatable arguments and errmsg are descriptors of ISO_Fortran_binding.h (descriptor.h).
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

/* A place in a coarray, or at an address of the image; data there, contiguous or with strides; a variable to notify. */
#define PRIF_DIRECT const int *image_num, const prif_handle *coarray_handle, const size_t *offset
#define PRIF_INDIRECT const int *image_num, const intptr_t *remote_ptr
#define PRIF_BUFFER void *const *current_image_buffer, const size_t *size_in_bytes
#define PRIF_SECTION const struct prif_descriptor *remote_stride, void *const *current_image_buffer, \
    const struct prif_descriptor *current_image_stride, const size_t *element_size, const struct prif_descriptor *extent
#define PRIF_NOTIFY_DIRECT const prif_handle *notify_coarray_handle, const size_t *notify_offset

#pragma GCC visibility push(default)

/* --- beginning and end (images.c) --------------------------------------------------------------------------------- */

void prif_init(int *stat);
void prif_register_stop_callback(prif_stop_callback *const *callback);
_Noreturn void prif_stop(const bool *quiet, const int *stop_code_int, const char *stop_code_char, size_t len);
_Noreturn void prif_error_stop(const bool *quiet, const int *stop_code_int, const char *stop_code_char, size_t len);
_Noreturn void prif_fail_image(void);

/* --- coarrays (coarrays.c) ---------------------------------------------------------------------------------------- */

/* Bounds: int64_t, dimension(:). The last codimension's upper bound is optional. */
void prif_allocate_coarray(const struct prif_descriptor *lcobounds, const struct prif_descriptor *ucobounds,
                           const size_t *size_in_bytes, prif_cleanup *const *final_proc, prif_handle *coarray_handle,
                           void **allocated_memory, PRIF_ERRORS);
void prif_allocate(const size_t *size_in_bytes, void **allocated_memory, PRIF_ERRORS);
void prif_deallocate_coarray(const prif_handle *coarray_handle, PRIF_ERRORS);
void prif_deallocate_coarrays(const struct prif_descriptor *coarray_handles, PRIF_ERRORS);
void prif_deallocate(void *const *mem, PRIF_ERRORS);

/* --- contiguous access (contiguous.c) ----------------------------------------------------------------------------- */

void prif_put(PRIF_DIRECT, PRIF_BUFFER, PRIF_ERRORS);
void prif_put_indirect(PRIF_INDIRECT, PRIF_BUFFER, PRIF_ERRORS);
void prif_put_with_notify(PRIF_DIRECT, PRIF_BUFFER, PRIF_NOTIFY_DIRECT, PRIF_ERRORS);
void prif_put_with_notify_indirect(PRIF_DIRECT, PRIF_BUFFER, const intptr_t *notify_ptr, PRIF_ERRORS);
void prif_put_indirect_with_notify(PRIF_INDIRECT, PRIF_BUFFER, PRIF_NOTIFY_DIRECT, PRIF_ERRORS);
void prif_put_indirect_with_notify_indirect(PRIF_INDIRECT, PRIF_BUFFER, const intptr_t *notify_ptr, PRIF_ERRORS);
void prif_get(PRIF_DIRECT, PRIF_BUFFER, PRIF_ERRORS);
void prif_get_indirect(PRIF_INDIRECT, PRIF_BUFFER, PRIF_ERRORS);

/* --- access with strides (strided.c) ------------------------------------------------------------------------------ */

/* Strides, in bytes: ptrdiff_t, dimension(:); extent: size_t, dimension(:); all have the same size. */
void prif_get_strided(PRIF_DIRECT, PRIF_SECTION, PRIF_ERRORS);
void prif_get_strided_indirect(PRIF_INDIRECT, PRIF_SECTION, PRIF_ERRORS);
void prif_put_strided(PRIF_DIRECT, PRIF_SECTION, PRIF_ERRORS);
void prif_put_strided_indirect(PRIF_INDIRECT, PRIF_SECTION, PRIF_ERRORS);
void prif_put_strided_with_notify(PRIF_DIRECT, PRIF_SECTION, PRIF_NOTIFY_DIRECT, PRIF_ERRORS);
void prif_put_strided_with_notify_indirect(PRIF_DIRECT, PRIF_SECTION, const intptr_t *notify_ptr, PRIF_ERRORS);
void prif_put_strided_indirect_with_notify(PRIF_INDIRECT, PRIF_SECTION, PRIF_NOTIFY_DIRECT, PRIF_ERRORS);
void prif_put_strided_indirect_with_notify_indirect(PRIF_INDIRECT, PRIF_SECTION, const intptr_t *notify_ptr,
                                                    PRIF_ERRORS);

/* --- aliases (coarrays.c) ----------------------------------------------------------------------------------------- */

void prif_alias_create(const prif_handle *source_handle, const struct prif_descriptor *alias_lcobounds,
                       const struct prif_descriptor *alias_ucobounds, const size_t *data_pointer_offset,
                       prif_handle *alias_handle);
void prif_alias_destroy(const prif_handle *alias_handle);

/* --- queries about coarrays (queries.c) --------------------------------------------------------------------------- */

/* Cobounds, cosubscripts and sizes: int64_t, dimension(:). */
void prif_lcobound_with_dim(const prif_handle *coarray_handle, const int *dim, int64_t *lcobound);
void prif_lcobound_no_dim(const prif_handle *coarray_handle, const struct prif_descriptor *lcobounds);
void prif_ucobound_with_dim(const prif_handle *coarray_handle, const int *dim, int64_t *ucobound);
void prif_ucobound_no_dim(const prif_handle *coarray_handle, const struct prif_descriptor *ucobounds);
void prif_coshape(const prif_handle *coarray_handle, const struct prif_descriptor *sizes);
void prif_image_index(const prif_handle *coarray_handle, const struct prif_descriptor *sub, int *image_index);
void prif_image_index_with_team(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                                const struct prif_team *team, int *image_index);
void prif_image_index_with_team_number(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                                       const int64_t *team_number, int *image_index);
void prif_initial_team_index(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                             int *initial_team_index, int *stat);
void prif_initial_team_index_with_team(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                                       const struct prif_team *team, int *initial_team_index, int *stat);
void prif_initial_team_index_with_team_number(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                                              const int64_t *team_number, int *initial_team_index, int *stat);
void prif_this_image_with_coarray(const prif_handle *coarray_handle, const struct prif_team *team,
                                  const struct prif_descriptor *cosubscripts);
void prif_this_image_with_dim(const prif_handle *coarray_handle, const int *dim, const struct prif_team *team,
                              int64_t *cosubscript);

/* These four are BIND(C) in the document, their handles VALUE. */
void prif_local_data_pointer(prif_handle coarray_handle, void **local_data);
void prif_set_context_data(prif_handle coarray_handle, void *context_data);
void prif_get_context_data(prif_handle coarray_handle, void **context_data);
void prif_size_bytes(prif_handle coarray_handle, size_t *data_size);

/* --- images (images.c) -------------------------------------------------------------------------------------------- */

void prif_num_images(int *num_images);
void prif_num_images_with_team(const struct prif_team *team, int *num_images);
void prif_num_images_with_team_number(const int64_t *team_number, int *num_images);
void prif_this_image_no_coarray(const struct prif_team *team, int *this_image);

/* failed_images, stopped_images: int, allocatable, dimension(:). */
void prif_failed_images(const struct prif_team *team, struct prif_descriptor *failed_images);
void prif_stopped_images(const struct prif_team *team, struct prif_descriptor *stopped_images);
void prif_image_status(const int *image, const struct prif_team *team, int *image_status);

/* --- collective subroutines (collectives.c) ----------------------------------------------------------------------- */

/* a: type(*), dimension(..); in the character forms character(*), dimension(..).  cdata has VALUE. */
void prif_co_sum(const struct prif_descriptor *a, const int *result_image, PRIF_ERRORS);
void prif_co_max(const struct prif_descriptor *a, const int *result_image, PRIF_ERRORS);
void prif_co_max_character(const struct prif_descriptor *a, const int *result_image, PRIF_ERRORS);
void prif_co_min(const struct prif_descriptor *a, const int *result_image, PRIF_ERRORS);
void prif_co_min_character(const struct prif_descriptor *a, const int *result_image, PRIF_ERRORS);
void prif_co_reduce(const struct prif_descriptor *a, prif_operation *const *operation_wrapper, void *cdata,
                    const int *result_image, PRIF_ERRORS);
void prif_co_reduce_cptr(void *const *a_ptr, const size_t *element_size, const size_t *element_count,
                         prif_operation *const *operation_wrapper, void *cdata, const int *result_image,
                         PRIF_ERRORS);
void prif_co_broadcast(const struct prif_descriptor *a, const int *source_image, PRIF_ERRORS);
void prif_co_broadcast_cptr(void *const *a_ptr, const size_t *size_in_bytes, const int *source_image, PRIF_ERRORS);

/* --- teams and synchronization (control.c) ------------------------------------------------------------------------ */

void prif_form_team(const int64_t *team_number, struct prif_team *team, const int *new_index, PRIF_ERRORS);
void prif_change_team(const struct prif_team *team, PRIF_ERRORS);
void prif_end_team(PRIF_ERRORS);
void prif_get_team(const int *level, struct prif_team *team);
void prif_team_number(const struct prif_team *team, int64_t *team_number);
void prif_sync_all(PRIF_ERRORS);
void prif_sync_images(const struct prif_descriptor *image_set, PRIF_ERRORS); /* int, dimension(:) */
void prif_sync_team(const struct prif_team *team, PRIF_ERRORS);
void prif_sync_memory(PRIF_ERRORS);

/* --- locks, critical, events, notify (locks.c) -------------------------------------------------------------------- */

void prif_lock(PRIF_DIRECT, bool *acquired_lock, PRIF_ERRORS);
void prif_lock_indirect(const int *image_num, const intptr_t *lock_var_ptr, bool *acquired_lock, PRIF_ERRORS);
void prif_unlock(PRIF_DIRECT, PRIF_ERRORS);
void prif_unlock_indirect(const int *image_num, const intptr_t *lock_var_ptr, PRIF_ERRORS);
void prif_critical(const prif_handle *critical_coarray, PRIF_ERRORS);
void prif_end_critical(const prif_handle *critical_coarray);
void prif_event_post(PRIF_DIRECT, PRIF_ERRORS);
void prif_event_post_indirect(const int *image_num, const intptr_t *event_var_ptr, PRIF_ERRORS);
void prif_event_wait(void *const *event_var_ptr, const int64_t *until_count, PRIF_ERRORS);
void prif_event_query(void *const *event_var_ptr, int64_t *count, int *stat);
void prif_notify_wait(void *const *notify_var_ptr, const int64_t *until_count, PRIF_ERRORS);

/* --- atomic subroutines (atomics.c) ------------------------------------------------------------------------------- */

/* PRIF_ATOMIC_INT_KIND and PRIF_ATOMIC_LOGICAL_KIND are 8. */
void prif_atomic_add(PRIF_DIRECT, const int64_t *value, int *stat);
void prif_atomic_add_indirect(PRIF_INDIRECT, const int64_t *value, int *stat);
void prif_atomic_and(PRIF_DIRECT, const int64_t *value, int *stat);
void prif_atomic_and_indirect(PRIF_INDIRECT, const int64_t *value, int *stat);
void prif_atomic_or(PRIF_DIRECT, const int64_t *value, int *stat);
void prif_atomic_or_indirect(PRIF_INDIRECT, const int64_t *value, int *stat);
void prif_atomic_xor(PRIF_DIRECT, const int64_t *value, int *stat);
void prif_atomic_xor_indirect(PRIF_INDIRECT, const int64_t *value, int *stat);
void prif_atomic_cas_int(PRIF_DIRECT, int64_t *old, const int64_t *compare, const int64_t *new_value, int *stat);
void prif_atomic_cas_int_indirect(PRIF_INDIRECT, int64_t *old, const int64_t *compare, const int64_t *new_value,
                                  int *stat);
void prif_atomic_cas_logical(PRIF_DIRECT, int64_t *old, const int64_t *compare, const int64_t *new_value, int *stat);
void prif_atomic_cas_logical_indirect(PRIF_INDIRECT, int64_t *old, const int64_t *compare, const int64_t *new_value,
                                      int *stat);
void prif_atomic_fetch_add(PRIF_DIRECT, const int64_t *value, int64_t *old, int *stat);
void prif_atomic_fetch_add_indirect(PRIF_INDIRECT, const int64_t *value, int64_t *old, int *stat);
void prif_atomic_fetch_and(PRIF_DIRECT, const int64_t *value, int64_t *old, int *stat);
void prif_atomic_fetch_and_indirect(PRIF_INDIRECT, const int64_t *value, int64_t *old, int *stat);
void prif_atomic_fetch_or(PRIF_DIRECT, const int64_t *value, int64_t *old, int *stat);
void prif_atomic_fetch_or_indirect(PRIF_INDIRECT, const int64_t *value, int64_t *old, int *stat);
void prif_atomic_fetch_xor(PRIF_DIRECT, const int64_t *value, int64_t *old, int *stat);
void prif_atomic_fetch_xor_indirect(PRIF_INDIRECT, const int64_t *value, int64_t *old, int *stat);
void prif_atomic_define_int(PRIF_DIRECT, const int64_t *value, int *stat);
void prif_atomic_define_int_indirect(PRIF_INDIRECT, const int64_t *value, int *stat);
void prif_atomic_define_logical(PRIF_DIRECT, const int64_t *value, int *stat);
void prif_atomic_define_logical_indirect(PRIF_INDIRECT, const int64_t *value, int *stat);
void prif_atomic_ref_int(PRIF_DIRECT, int64_t *value, int *stat);
void prif_atomic_ref_int_indirect(PRIF_INDIRECT, int64_t *value, int *stat);
void prif_atomic_ref_logical(PRIF_DIRECT, int64_t *value, int *stat);
void prif_atomic_ref_logical_indirect(PRIF_INDIRECT, int64_t *value, int *stat);

#pragma GCC visibility pop
