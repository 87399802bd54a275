/* Locks, critical, events, and waits for notifications. */
#include "local.h"

/* --- locks, posts of events --------------------------------------------------------------------------------------- */

static inline void lock(const char *procedure, struct prif_place place, bool *acquired_lock, PRIF_ERRORS)
{
    struct prif_location p;
    int status = prif_find_variable(procedure, &p, &place, CAF_LOCK_BYTES);
    bool acquired = false;
    if (status == CAF_OK) {
        status = caf_lock(p.pe, p.address, acquired_lock ? &acquired : NULL);
        if (acquired_lock)
            *acquired_lock = acquired;
    }
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(lock)(PRIF_DIRECT, bool *acquired_lock, PRIF_ERRORS)
{
    lock(__func__, PRIF_IN_COARRAY, acquired_lock, stat, errmsg, errmsg_alloc);
}

PRIF(lock_indirect)(PRIF_INDIRECT, bool *acquired_lock, PRIF_ERRORS)
{
    lock(__func__, PRIF_AT(remote_ptr), acquired_lock, stat, errmsg, errmsg_alloc);
}

static inline void change(const char *procedure, struct prif_place place, size_t bytes,
                          int (*how)(int pe, void *variable), PRIF_ERRORS)
{
    struct prif_location p;
    const int status = prif_find_variable(procedure, &p, &place, bytes);
    prif_report(status ? status : how(p.pe, p.address), stat, errmsg, errmsg_alloc);
}

/* prif_unlock, prif_unlock_indirect, prif_event_post, prif_event_post_indirect */
#define CHANGE(N, PLACE, THERE, BYTES, HOW) PRIF(N)(PLACE, PRIF_ERRORS) \
    { change("prif_" #N, THERE, BYTES, HOW, stat, errmsg, errmsg_alloc); }
CHANGE(unlock, PRIF_DIRECT, PRIF_IN_COARRAY, CAF_LOCK_BYTES, caf_unlock)
CHANGE(unlock_indirect, PRIF_INDIRECT, PRIF_AT(remote_ptr), CAF_LOCK_BYTES, caf_unlock)
CHANGE(event_post, PRIF_DIRECT, PRIF_IN_COARRAY, CAF_EVENT_BYTES, caf_event_post)
CHANGE(event_post_indirect, PRIF_INDIRECT, PRIF_AT(remote_ptr), CAF_EVENT_BYTES, caf_event_post)

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

/* If the holder has failed, this image now holds the lock. PRIF requires another status for this than for a lock. */
PRIF(critical)(const prif_handle *critical_coarray, PRIF_ERRORS)
{
    struct prif_location p;
    int status = find_critical("prif_critical", &p, *critical_coarray);
    status = status ? status : caf_lock(p.pe, p.address, NULL);
    if (CAF_UNLIKELY(status == CAF_STAT_UNLOCKED_FAILED_IMAGE))
        status = caf_say(CAF_STAT_FAILED_IMAGE, "prif_critical: an image has failed in the critical construct");
    prif_report(status, stat, errmsg, errmsg_alloc);
}

/* Has no stat. If the image that has the lock is on another node and has failed, the next prif_critical reports it. */
PRIF(end_critical)(const prif_handle *critical_coarray)
{
    struct prif_location p;
    int status = find_critical("prif_end_critical", &p, *critical_coarray);
    status = status ? status : caf_unlock(p.pe, p.address);
    if (status != CAF_STAT_FAILED_IMAGE)
        prif_report(status, NULL, NULL, NULL);
}

/* --- waits for events --------------------------------------------------------------------------------------------- */

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
