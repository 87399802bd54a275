/* Contiguous bytes of coarrays and at addresses of other images; conversion of both to locations. */
#include "local.h"

#include <errno.h>
#include <string.h>

/* --- locations ---------------------------------------------------------------------------------------------------- */

/* Stopped images remain accessible: all images end together. */
static int check_image(const char *procedure, int image)
{
    if ((unsigned)image - 1 >= (unsigned)prif_n_images)
        return caf_say(CAF_STAT_ERROR, "%s: image_num is %d, allowed are 1 to %d%s", procedure, image,
                       prif_n_images, caf_alone());
    if (*caf_alerts && caf_pe_state(image - 1) == CAF_STAT_FAILED_IMAGE)
        return caf_say_ended(procedure, image - 1, CAF_STAT_FAILED_IMAGE);
    return CAF_OK;
}

int prif_find_slowly(const char *procedure, struct prif_location *p, int image, prif_handle h, size_t offset,
                     size_t bytes)
{
    int status = check_image(procedure, image);
    status = status ? status : prif_check_handle(procedure, h);
    if (status)
        return status;
    const struct prif_coarray *c = prif_record(h);
    const size_t at = (size_t)(c->base - c->memory) + offset;
    if (at > c->bytes || bytes > c->bytes - at)
        return caf_say(CAF_STAT_ERROR, "%s: %zu bytes from offset %zu on, which are not in the coarray's %zu bytes",
                       procedure, bytes, offset, c->bytes);
    *p = (struct prif_location){.pe = image - 1, .address = c->base + offset};
    return CAF_OK;
}

int prif_find_pointer(const char *procedure, struct prif_location *p, int image, intptr_t pointer)
{
    if (CAF_UNLIKELY((unsigned)image - 1 >= (unsigned)prif_n_images || *caf_alerts)) {
        const int status = check_image(procedure, image);
        if (status)
            return status;
    }
    char *const address = (char *)pointer;
    *p = (struct prif_location){.pe = image - 1, .address = address};
    if (p->pe != caf_my_pe) {
        p->address = caf_reach_symmetric(p->pe, address);
        p->foreign = !p->address;
    }
    if (p->foreign)
        p->address = address;
    return CAF_OK;
}

int prif_find_word(const char *procedure, struct prif_location *p, int image, intptr_t pointer)
{
    const int status = prif_find_pointer(procedure, p, image, pointer);
    if (status)
        return status;
    if (p->foreign)
        return caf_say(CAF_STAT_ERROR, "%s: the variable at %p of image %d is neither in a coarray nor in memory of "
                       "prif_allocate", procedure, (void *)pointer, image);
    return p->pe == caf_my_pe ? prif_check_word(procedure, p->address) : CAF_OK;
}

int prif_check_word(const char *procedure, const void *variable)
{
    if (CAF_LIKELY(variable && caf_reach_symmetric(caf_my_pe, variable)))
        return CAF_OK;
    return caf_say(CAF_STAT_ERROR, "%s: the variable at %p is neither in a coarray nor in memory of prif_allocate",
                   procedure, variable);
}

int prif_notify(const struct prif_location *variable)
{
    return caf_event_post(variable->pe, variable->address);
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static int explain(const char *procedure, const struct prif_location *p, size_t bytes)
{
    char why[512];
    caf_reach_explain(why, sizeof why, p->pe, p->address, bytes, errno);
    return caf_say(errno == ESRCH ? CAF_STAT_FAILED_IMAGE : CAF_STAT_ERROR, "%s: %s", procedure, why);
}

static int put(const char *procedure, const struct prif_location *p, const void *from, size_t bytes)
{
    if (CAF_LIKELY(!p->foreign))
        caf_put_bytes(p->pe, p->address, from, bytes);
    else if (bytes && !caf_reach_write(p->pe, p->address, from, bytes))
        return explain(procedure, p, bytes);
    return CAF_OK;
}

/* If the image has failed meanwhile, the reply may be missing. */
static int get(const char *procedure, const struct prif_location *p, void *to, size_t bytes)
{
    bool far = false;
    if (CAF_LIKELY(!p->foreign))
        far = caf_get_bytes(p->pe, to, p->address, bytes);
    else if (bytes && !caf_reach_read(p->pe, to, p->address, bytes))
        return explain(procedure, p, bytes);
    return CAF_UNLIKELY(far && *caf_alerts) ? check_image(procedure, p->pe + 1) : CAF_OK;
}

static inline int find(const char *procedure, struct prif_location *p, const struct prif_place *place, size_t bytes)
{
    if (place->pointer)
        return prif_find_pointer(procedure, p, place->image, *place->pointer);
    return prif_find(procedure, p, place->image, place->coarray, place->offset, bytes);
}

static inline void put_at(const char *procedure, struct prif_place to, const void *from, size_t bytes, PRIF_ERRORS)
{
    struct prif_location p;
    int status = find(procedure, &p, &to, bytes);
    status = status ? status : put(procedure, &p, from, bytes);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

static inline void get_at(const char *procedure, struct prif_place from, void *to, size_t bytes, PRIF_ERRORS)
{
    struct prif_location p;
    int status = find(procedure, &p, &from, bytes);
    status = status ? status : get(procedure, &p, to, bytes);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

/* The variable is located before any data is put, so that an error leaves the data unchanged. */
static inline void put_and_notify(const char *procedure, struct prif_place to, const void *from, size_t bytes,
                                  struct prif_place variable, PRIF_ERRORS)
{
    struct prif_location p, v;
    int status = find(procedure, &p, &to, bytes);
    status = status ? status : prif_find_variable(procedure, &v, &variable, CAF_EVENT_BYTES);
    status = status ? status : put(procedure, &p, from, bytes);
    prif_report(status ? status : prif_notify(&v), stat, errmsg, errmsg_alloc);
}

#define OF_BUFFER *current_image_buffer, *size_in_bytes
#define ERRORS stat, errmsg, errmsg_alloc

/* prif_put, prif_put_indirect, prif_get, prif_get_indirect */
#define MOVE(N, WHAT, PLACE, THERE) PRIF(N)(PLACE, PRIF_BUFFER, PRIF_ERRORS) \
    { WHAT("prif_" #N, THERE, OF_BUFFER, ERRORS); }
MOVE(put, put_at, PRIF_DIRECT, PRIF_IN_COARRAY)
MOVE(put_indirect, put_at, PRIF_INDIRECT, PRIF_AT(remote_ptr))
MOVE(get, get_at, PRIF_DIRECT, PRIF_IN_COARRAY)
MOVE(get_indirect, get_at, PRIF_INDIRECT, PRIF_AT(remote_ptr))

#define NOTIFYING(N, PLACE, THERE, VARIABLE, COUNTED) PRIF(N)(PLACE, PRIF_BUFFER, VARIABLE, PRIF_ERRORS) \
    { put_and_notify("prif_" #N, THERE, OF_BUFFER, COUNTED, ERRORS); }
NOTIFYING(put_with_notify, PRIF_DIRECT, PRIF_IN_COARRAY, PRIF_NOTIFY_DIRECT, PRIF_NOTIFY_IN_COARRAY)
NOTIFYING(put_with_notify_indirect, PRIF_DIRECT, PRIF_IN_COARRAY, const intptr_t *notify_ptr, PRIF_AT(notify_ptr))
NOTIFYING(put_indirect_with_notify, PRIF_INDIRECT, PRIF_AT(remote_ptr), PRIF_NOTIFY_DIRECT, PRIF_NOTIFY_IN_COARRAY)
NOTIFYING(put_indirect_with_notify_indirect, PRIF_INDIRECT, PRIF_AT(remote_ptr), const intptr_t *notify_ptr,
          PRIF_AT(notify_ptr))
