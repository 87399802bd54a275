/* Locks, critical, events, and waits for notifications. */
#include "local.h"

/* --- locks -------------------------------------------------------------------------------------------------------- */

static int lock(const struct prif_location *p, bool *acquired_lock)
{
    bool acquired = false;
    const int status = caf_lock(p->pe, p->address, acquired_lock ? &acquired : NULL);
    if (acquired_lock)
        *acquired_lock = acquired;
    return status;
}

PRIF(lock)(PRIF_DIRECT, bool *acquired_lock, PRIF_ERRORS)
{
    struct prif_location p;
    const int status = prif_find("prif_lock", &p, *image_num, *coarray_handle, *offset, CAF_LOCK_BYTES);
    prif_report(status ? status : lock(&p, acquired_lock), stat, errmsg, errmsg_alloc);
}

PRIF(lock_indirect)(const int *image_num, const intptr_t *lock_var_ptr, bool *acquired_lock, PRIF_ERRORS)
{
    struct prif_location p;
    const int status = prif_find_word("prif_lock_indirect", &p, *image_num, *lock_var_ptr);
    prif_report(status ? status : lock(&p, acquired_lock), stat, errmsg, errmsg_alloc);
}

PRIF(unlock)(PRIF_DIRECT, PRIF_ERRORS)
{
    struct prif_location p;
    const int status = prif_find("prif_unlock", &p, *image_num, *coarray_handle, *offset, CAF_LOCK_BYTES);
    prif_report(status ? status : caf_unlock(p.pe, p.address), stat, errmsg, errmsg_alloc);
}

PRIF(unlock_indirect)(const int *image_num, const intptr_t *lock_var_ptr, PRIF_ERRORS)
{
    struct prif_location p;
    const int status = prif_find_word("prif_unlock_indirect", &p, *image_num, *lock_var_ptr);
    prif_report(status ? status : caf_unlock(p.pe, p.address), stat, errmsg, errmsg_alloc);
}

/* --- critical ----------------------------------------------------------------------------------------------------- */

/* The lock is on the first image of the team in which the coarray was allocated. */
static int find_critical(const char *procedure, struct prif_location *p, prif_handle h)
{
    const int status = prif_check_handle(procedure, h);
    if (status)
        return status;
    struct caf_coarray *core = prif_record(h)->core;
    core->is_critical = true;
    return prif_find(procedure, p, caf_pe(core->team, 1) + 1, h, 0, CAF_LOCK_BYTES);
}

/* If the holder has failed, this image holds the lock and the status is that of the document. */
PRIF(critical)(const prif_handle *critical_coarray, PRIF_ERRORS)
{
    struct prif_location p;
    int status = find_critical("prif_critical", &p, *critical_coarray);
    status = status ? status : caf_lock(p.pe, p.address, NULL);
    if (CAF_UNLIKELY(status == CAF_STAT_UNLOCKED_FAILED_IMAGE))
        status = caf_say(CAF_STAT_FAILED_IMAGE, "prif_critical: an image has failed in the critical construct");
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(end_critical)(const prif_handle *critical_coarray)
{
    struct prif_location p;
    const int status = find_critical("prif_end_critical", &p, *critical_coarray);
    prif_report(status ? status : caf_unlock(p.pe, p.address), NULL, NULL, NULL);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

PRIF(event_post)(PRIF_DIRECT, PRIF_ERRORS)
{
    struct prif_location p;
    const int status = prif_find("prif_event_post", &p, *image_num, *coarray_handle, *offset, CAF_EVENT_BYTES);
    prif_report(status ? status : caf_event_post(p.pe, p.address), stat, errmsg, errmsg_alloc);
}

PRIF(event_post_indirect)(const int *image_num, const intptr_t *event_var_ptr, PRIF_ERRORS)
{
    struct prif_location p;
    const int status = prif_find_word("prif_event_post_indirect", &p, *image_num, *event_var_ptr);
    prif_report(status ? status : caf_event_post(p.pe, p.address), stat, errmsg, errmsg_alloc);
}

static int await(const char *procedure, void *variable, const int64_t *until_count)
{
    const int status = prif_check_word(procedure, variable);
    return status ? status : caf_event_wait(variable, until_count ? *until_count : 1);
}

PRIF(event_wait)(void *const *event_var_ptr, const int64_t *until_count, PRIF_ERRORS)
{
    prif_report(await("prif_event_wait", *event_var_ptr, until_count), stat, errmsg, errmsg_alloc);
}

PRIF(event_query)(void *const *event_var_ptr, int64_t *count, int *stat)
{
    const int status = prif_check_word("prif_event_query", *event_var_ptr);
    prif_report(status ? status : caf_event_query(caf_my_pe, *event_var_ptr, count), stat, NULL, NULL);
}

PRIF(notify_wait)(void *const *notify_var_ptr, const int64_t *until_count, PRIF_ERRORS)
{
    prif_report(await("prif_notify_wait", *notify_var_ptr, until_count), stat, errmsg, errmsg_alloc);
}
