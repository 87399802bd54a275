/* Contiguous bytes of coarrays, and of memory at addresses of other images; how both are found. */
#include "local.h"

#include <errno.h>
#include <string.h>

/* --- locations ---------------------------------------------------------------------------------------------------- */

/* What has stopped can still be read and written: images end together. */
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

/* A message may have brought nothing if the image has failed meanwhile. */
static int get(const char *procedure, const struct prif_location *p, void *to, size_t bytes)
{
    bool far = false;
    if (CAF_LIKELY(!p->foreign))
        far = caf_get_bytes(p->pe, to, p->address, bytes);
    else if (bytes && !caf_reach_read(p->pe, to, p->address, bytes))
        return explain(procedure, p, bytes);
    return CAF_UNLIKELY(far && *caf_alerts) ? check_image(procedure, p->pe + 1) : CAF_OK;
}

PRIF(put)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset,
          void *const *current_image_buffer, const size_t *size_in_bytes, PRIF_ERRORS)
{
    const char *const me = "prif_put";
    struct prif_location p;
    int status = prif_find(me, &p, *image_num, *coarray_handle, *offset, *size_in_bytes);
    status = status ? status : put(me, &p, *current_image_buffer, *size_in_bytes);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(put_indirect)(const int *image_num, const intptr_t *remote_ptr, void *const *current_image_buffer,
                   const size_t *size_in_bytes, PRIF_ERRORS)
{
    const char *const me = "prif_put_indirect";
    struct prif_location p;
    int status = prif_find_pointer(me, &p, *image_num, *remote_ptr);
    status = status ? status : put(me, &p, *current_image_buffer, *size_in_bytes);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(get)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset,
          void *const *current_image_buffer, const size_t *size_in_bytes, PRIF_ERRORS)
{
    const char *const me = "prif_get";
    struct prif_location p;
    int status = prif_find(me, &p, *image_num, *coarray_handle, *offset, *size_in_bytes);
    status = status ? status : get(me, &p, *current_image_buffer, *size_in_bytes);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(get_indirect)(const int *image_num, const intptr_t *remote_ptr, void *const *current_image_buffer,
                   const size_t *size_in_bytes, PRIF_ERRORS)
{
    const char *const me = "prif_get_indirect";
    struct prif_location p;
    int status = prif_find_pointer(me, &p, *image_num, *remote_ptr);
    status = status ? status : get(me, &p, *current_image_buffer, *size_in_bytes);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

/* --- bytes, and a count ------------------------------------------------------------------------------------------- */

/* The variable is found before anything is put. */
static int put_and_notify(const char *procedure, const struct prif_location *p, const void *from, size_t bytes,
                          const struct prif_location *variable)
{
    const int status = put(procedure, p, from, bytes);
    return status ? status : prif_notify(variable);
}

PRIF(put_with_notify)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset,
                      void *const *current_image_buffer, const size_t *size_in_bytes,
                      const prif_handle *notify_coarray_handle, const size_t *notify_offset, PRIF_ERRORS)
{
    const char *const me = "prif_put_with_notify";
    struct prif_location p, v;
    int status = prif_find(me, &p, *image_num, *coarray_handle, *offset, *size_in_bytes);
    status = status ? status : prif_find(me, &v, *image_num, *notify_coarray_handle, *notify_offset, CAF_EVENT_BYTES);
    status = status ? status : put_and_notify(me, &p, *current_image_buffer, *size_in_bytes, &v);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(put_with_notify_indirect)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset,
                               void *const *current_image_buffer, const size_t *size_in_bytes,
                               const intptr_t *notify_ptr, PRIF_ERRORS)
{
    const char *const me = "prif_put_with_notify_indirect";
    struct prif_location p, v;
    int status = prif_find(me, &p, *image_num, *coarray_handle, *offset, *size_in_bytes);
    status = status ? status : prif_find_word(me, &v, *image_num, *notify_ptr);
    status = status ? status : put_and_notify(me, &p, *current_image_buffer, *size_in_bytes, &v);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(put_indirect_with_notify)(const int *image_num, const intptr_t *remote_ptr, void *const *current_image_buffer,
                               const size_t *size_in_bytes, const prif_handle *notify_coarray_handle,
                               const size_t *notify_offset, PRIF_ERRORS)
{
    const char *const me = "prif_put_indirect_with_notify";
    struct prif_location p, v;
    int status = prif_find_pointer(me, &p, *image_num, *remote_ptr);
    status = status ? status : prif_find(me, &v, *image_num, *notify_coarray_handle, *notify_offset, CAF_EVENT_BYTES);
    status = status ? status : put_and_notify(me, &p, *current_image_buffer, *size_in_bytes, &v);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(put_indirect_with_notify_indirect)(const int *image_num, const intptr_t *remote_ptr,
                                        void *const *current_image_buffer, const size_t *size_in_bytes,
                                        const intptr_t *notify_ptr, PRIF_ERRORS)
{
    const char *const me = "prif_put_indirect_with_notify_indirect";
    struct prif_location p, v;
    int status = prif_find_pointer(me, &p, *image_num, *remote_ptr);
    status = status ? status : prif_find_word(me, &v, *image_num, *notify_ptr);
    status = status ? status : put_and_notify(me, &p, *current_image_buffer, *size_in_bytes, &v);
    prif_report(status, stat, errmsg, errmsg_alloc);
}
