/* Accessors run by the calling image.
 *
 * A pointer that an accessor follows belongs to the other image, but is valid here if it leads to a heap: all heaps of
 * a node are mapped at one address, and malloc uses them (memory/arena.h).  A scalar's getter only returns the address,
 * which can be checked; memory private to the other image is then read by a system call.  Getters of arrays, and
 * receivers, access the data themselves, with the limits in docs/coarrays.md. */
#include "near.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool has_components(const struct access *a)
{
    return a->coarray->has_components;
}

/* --- scalars ------------------------------------------------------------------------------------------------------ */

int near_get_component(const struct access *a, void *to, const void *at, size_t bytes)
{
    const uintptr_t first_address = 1 << 16;
    if (!has_components(a) && !bytes)
        return CAF_OK;
    if (!has_components(a))
        fault_outside(a);
    if ((uintptr_t)at < first_address)
        return caf_say(CAF_STAT_ERROR, "%s: a component on image %d%s is not allocated or not associated", a->name,
                       a->pe + 1, caf_of_initial_team());
    const void *here = a->pe == caf_my_pe ? at : caf_reach_pointer(a->pe, at);
    if (here || caf_heap_owner(at) >= 0) {
        near_copy(to, here ? here : at, bytes);
        return CAF_OK;
    }
    if (caf_reach_read(a->pe, to, at, bytes))
        return CAF_OK;
    if (errno == ESRCH)
        return caf_say_ended(a->name, a->pe, CAF_STAT_FAILED_IMAGE);
    char why[200];
    caf_reach_explain(why, sizeof why, a->pe, at, bytes, errno);
    return caf_say(CAF_STAT_ERROR, "%s: a component on image %d%s: %s", a->name, a->pe + 1,
                   caf_of_initial_team(), why);
}

void near_get_scalar(const struct access *a, char *base, void **dst, size_t size, size_t *length, int *stat)
{
    const struct access *outer = fault_begin(a);
    const char *at = near_find(a, base, length);
    const int status = near_get_found(a, base, at, *dst, length ? size * *length : size);
    fault_end(outer);
    if (CAF_UNLIKELY(status))
        caf_report(status, stat, NULL, 0);
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

static void run_getter(const struct access *a, char *base, struct gfortran_descriptor *d, size_t *length)
{
    struct descriptor_room room;
    void *object = accessor_object(a, base, &room);
    int32_t free_buffer = 0;
    struct caf_coarray local;
    accessor_getter *getter = (accessor_getter *)accessor_at(a->index)->function;
    const struct access *outer = fault_begin(a);
    getter(a->add_data, &a->caller, d, &free_buffer, object, near_frame(&local, a->add_data, a->add_bytes), 0, length,
           a->length);
    fault_end(outer);
    near_correct(d);
}

/* A getter must not reallocate its buffer, which may be on the stack, when it finds another shape. */
struct buffer {
    const struct access *access;
    const struct gfortran_descriptor *wanted, *found;
};
static void refuse(const void *buffer)
{
    const struct buffer *b = buffer;
    accessor_check_shape(b->access, b->wanted, b->found);
}

void near_get_array(const struct access *a, char *base, struct gfortran_descriptor *dst, size_t *length)
{
    struct descriptor_room room;
    struct gfortran_descriptor *d = accessor_normalized(dst, &room);
    const struct gfortran_guard guard = {dst->base, refuse, &(struct buffer){a, dst, d}};
    const struct gfortran_guard *outer = gfortran_guarded;
    gfortran_guarded = dst->base ? &guard : NULL;
    run_getter(a, base, d, length);
    gfortran_guarded = outer;
    accessor_check_shape(a, dst, d);
}

void near_get_new(const struct access *a, char *base, struct gfortran_descriptor *dst, size_t *length)
{
    dst->base = NULL;
    run_getter(a, base, dst, length);
}

/* --- puts and presence tests -------------------------------------------------------------------------------------- */

/* bytes is not used, because the receiver knows the number of bytes. A component's receiver has no argument for the
 * component's length, which is constant; in that place it has the length of src. */
void near_put(const struct access *a, char *base, const void *src, size_t bytes,
              const struct gfortran_descriptor *descriptor, const size_t *length)
{
    (void)bytes;
    src = descriptor ? descriptor : src;
    struct descriptor_room room;
    void *object = accessor_object(a, base, &room);
    struct caf_coarray local;
    const caf_token token = near_frame(&local, a->add_data, a->add_bytes);
    accessor_receiver *receiver = (accessor_receiver *)accessor_at(a->index)->function;
    if (!has_components(a)) {
        receiver(a->add_data, &a->caller, object, src, token, 0, a->length, length);
        return;
    }
    const struct access *outer = near_put_begin(a);
    receiver(a->add_data, &a->caller, object, src, token, 0, length, length);
    near_put_end(outer);
}

bool near_present_in(const struct access *a, void *object, bool by_pointer)
{
    int32_t present = 0;
    struct caf_coarray local;
    accessor_presence *presence = (accessor_presence *)accessor_at(a->index)->function;
    const struct access *outer = fault_begin(a);
    presence(a->add_data, &a->caller, &present, by_pointer ? (void *)&object : object,
             near_frame(&local, a->add_data, a->add_bytes), 0);
    fault_end(outer);
    return present;
}

bool near_present(const struct access *a, char *base)
{
    struct descriptor_room room;
    return near_present_in(a, accessor_tested(a, base, &room), false);
}
