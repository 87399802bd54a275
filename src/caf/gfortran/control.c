/* Locks, events and the atomic subroutines. */
#include "abi.h"

/* --- locks and events --------------------------------------------------------------------------------------------- */

static inline bool is_image(int image)
{
    return (unsigned)image - 1 < (unsigned)caf_images.n;
}
static inline int pe_of(int image)
{
    return caf_images.pes ? caf_images.pes[image - 1] : image - 1;
}

/* The PE of an image (0: this image); -1 after the error has been reported. */
static inline int image_pe(const char *statement, caf_token token, int image, int *stat, char *errmsg,
                           size_t errmsg_len)
{
    if (CAF_LIKELY(is_image(image)))
        return pe_of(image);
    const int pe = caf_pe(NULL, image ? image : caf_this_image(NULL));
    if (pe < 0)
        gfortran_no_image(statement, token, image, NULL, stat, errmsg, errmsg_len);
    return pe;
}

static inline bool is_critical(caf_token token)
{
    const struct caf_coarray *c = token;
    return c && c->is_critical;
}

/* gfortran passes image 1 for CRITICAL in each team, but the block excludes all images, not only those of the current
 * team (11.1.6): a team's image also takes the lock on image 1 of the initial team, unless that lock is gone. */
static inline bool excludes_all(caf_token token, int pe)
{
    return CAF_UNLIKELY(caf_images.pes != NULL) && pe > 0 && is_critical(token);
}

/* If an image has failed in the block, CRITICAL's status is STAT_FAILED_IMAGE, and LOCK's STAT_UNLOCKED_FAILED_IMAGE
 * (11.6.11). */
static inline int lock_on(caf_token token, int pe, char *lock, bool *acquired)
{
    int status = caf_lock(pe, lock, acquired);
    if (excludes_all(token, pe) && (status == CAF_OK || status == CAF_STAT_UNLOCKED_FAILED_IMAGE)) {
        const int outer = caf_lock(0, lock, NULL);
        status = outer == CAF_OK || outer == CAF_STAT_FAILED_IMAGE ? status : outer;
    }
    return status == CAF_STAT_UNLOCKED_FAILED_IMAGE && is_critical(token) ? CAF_STAT_FAILED_IMAGE : status;
}

/* END CRITICAL has no stat=: the next CRITICAL reports that the image of the lock, on another node, has failed. */
static inline int unlock_on(caf_token token, int pe, char *lock)
{
    const int outer = excludes_all(token, pe) ? caf_unlock(0, lock) : CAF_OK, status = caf_unlock(pe, lock);
    const int worst = outer == CAF_OK || outer == CAF_STAT_FAILED_IMAGE ? status : outer;
    return CAF_UNLIKELY(worst == CAF_STAT_FAILED_IMAGE) && is_critical(token) ? CAF_OK : worst;
}

static char *element(const char *statement, caf_token token, size_t index, size_t bytes)
{
    return gfortran_address(statement, token, index * bytes, bytes);
}

/* Any LOCK and UNLOCK. These are separate functions because saving registers before a locked instruction delays it, and
 * the plain statements, including CRITICAL's, need no saving. */
__attribute__((noinline)) static void lock(caf_token token, size_t index, int image, int *acquired_lock, int *stat,
                                           char *errmsg, size_t errmsg_len)
{
    const int pe = image_pe("lock", token, image, stat, errmsg, errmsg_len);
    if (pe < 0)
        return;
    bool acquired = false;
    char *const at = element("lock", token, index, CAF_LOCK_BYTES);
    const int status = lock_on(token, pe, at, acquired_lock ? &acquired : NULL);
    if (acquired_lock)
        *acquired_lock = acquired;
    caf_report(status, stat, errmsg, errmsg_len);
}

__attribute__((noinline)) static void unlock(caf_token token, size_t index, int image, int *stat, char *errmsg,
                                             size_t errmsg_len)
{
    const int pe = image_pe("unlock", token, image, stat, errmsg, errmsg_len);
    if (pe >= 0)
        caf_report(unlock_on(token, pe, element("unlock", token, index, CAF_LOCK_BYTES)), stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_lock(caf_token token, size_t index, int image, int *acquired_lock, int *stat,
                                     char *errmsg, size_t errmsg_len)
{
    gfortran_end_segment();
    if (CAF_UNLIKELY(acquired_lock || stat || !is_image(image)))
        lock(token, index, image, acquired_lock, stat, errmsg, errmsg_len);
    else
        caf_report(lock_on(token, pe_of(image), element("lock", token, index, CAF_LOCK_BYTES), NULL), NULL, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_unlock(caf_token token, size_t index, int image, int *stat, char *errmsg,
                                       size_t errmsg_len)
{
    gfortran_end_segment();
    if (CAF_UNLIKELY(stat || !is_image(image)))
        unlock(token, index, image, stat, errmsg, errmsg_len);
    else
        caf_report(unlock_on(token, pe_of(image), element("unlock", token, index, CAF_LOCK_BYTES)), NULL, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_event_post(caf_token token, size_t index, int image, int *stat, char *errmsg,
                                           size_t errmsg_len)
{
    gfortran_end_segment();
    const int pe = image_pe("event post", token, image, stat, errmsg, errmsg_len);
    if (pe >= 0)
        caf_report(caf_event_post(pe, element("event post", token, index, CAF_EVENT_BYTES)), stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_event_wait(caf_token token, size_t index, int until_count, int *stat, char *errmsg,
                                           size_t errmsg_len)
{
    gfortran_end_segment();
    caf_report(caf_event_wait(element("event wait", token, index, CAF_EVENT_BYTES), until_count), stat, errmsg,
               errmsg_len);
}

GFORTRAN_API void _gfortran_caf_event_query(caf_token token, size_t index, int image, int *count, int *stat)
{
    const int pe = image_pe("event_query", token, image, stat, NULL, 0);
    if (pe < 0)
        return;
    int64_t posted = 0;
    const int status = caf_event_query(pe, element("event_query", token, index, CAF_EVENT_BYTES), &posted);
    *count = (int)posted;
    caf_report(status, stat, NULL, 0);
}

/* --- atomic subroutines ------------------------------------------------------------------------------------------- */

/* gfortran passes a wrong offset for a component of a type that also has allocatable components. */
__attribute__((noinline, cold)) static _Noreturn void no_atom(const char *name, const struct caf_coarray *c,
                                                              size_t offset)
{
    if (c && c->has_components)
        caf_fatal("%s: a component of a type that also has allocatable components, whose address gfortran does not "
                  "pass; or a subscript is out of bounds: make it a separate coarray, or a component of a type without "
                  "allocatable ones", name);
    gfortran_outside(name, c, offset, 1);
}

static inline void *atom_at(const char *name, caf_token token, size_t offset)
{
    const struct caf_coarray *c = token;
    if (CAF_UNLIKELY(!c || offset >= c->bytes))
        no_atom(name, c, offset);
    return c->base + offset;
}

GFORTRAN_API void _gfortran_caf_atomic_define(caf_token token, size_t offset, int image, void *value, int *stat,
                                              int type, int kind)
{
    (void)type;
    const int pe = image_pe("atomic_define", token, image, stat, NULL, 0);
    if (pe < 0)
        return;
    void *atom = atom_at("atomic_define", token, offset);
    caf_report(caf_atomic_define(pe, atom, kind, value), stat, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_atomic_ref(caf_token token, size_t offset, int image, void *value, int *stat, int type,
                                           int kind)
{
    (void)type;
    const int pe = image_pe("atomic_ref", token, image, stat, NULL, 0);
    if (pe < 0)
        return;
    void *atom = atom_at("atomic_ref", token, offset);
    caf_report(caf_atomic_ref(pe, atom, kind, value), stat, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_atomic_cas(caf_token token, size_t offset, int image, void *old, void *compare,
                                           void *new_value, int *stat, int type, int kind)
{
    (void)type;
    const int pe = image_pe("atomic_cas", token, image, stat, NULL, 0);
    if (pe < 0)
        return;
    void *atom = atom_at("atomic_cas", token, offset);
    caf_report(caf_atomic_cas(pe, atom, kind, compare, new_value, old), stat, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_atomic_op(int op, caf_token token, size_t offset, int image, void *value, void *old,
                                          int *stat, int type, int kind)
{
    (void)type;
    const enum caf_atomic_op what = (enum caf_atomic_op)op;
    const struct caf_coarray *c = token;
    int pe;
    if (CAF_LIKELY(is_image(image)))
        pe = pe_of(image);
    else if ((pe = image_pe(caf_atomic_name(what, old), token, image, stat, NULL, 0)) < 0)
        return;
    if (CAF_UNLIKELY(!c || offset >= c->bytes)) /* atom_at needs a constant name */
        no_atom(caf_atomic_name(what, old), c, offset);
    caf_report(caf_atomic_op(pe, c->base + offset, kind, what, value, old), stat, NULL, 0);
}
