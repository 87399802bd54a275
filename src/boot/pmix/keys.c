#include "boot/pmix/pmix.h"

#include "boot/kit/kit.h"
#include "common/clock.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct launch pmix_launch;

/* "copal.NAME.EPOCH" */
static const char *key_of(char *key, size_t room, const char *name)
{
    snprintf(key, room, "copal.%s.%u", name, pmix_launch.epoch);
    return key;
}

pmix_status_t pmix_put_value(pmix_scope_t scope, const char *name, const void *bytes, size_t n)
{
    char key[64];
    pmix_value_t value = {.type = PMIX_BYTE_OBJECT, .data.bo = {.bytes = (char *)bytes, .size = n}};
    return PMIx_Put(scope, key_of(key, sizeof key, name), &value);
}

/* A time limit, because a launcher may not notice that the PE has ended. */
enum { LAUNCHER_SECONDS = 60 };
static size_t ask_launcher(int pe, const char *name, void *bytes, size_t room, int seconds, const char **why)
{
    char key[64];
    pmix_proc_t proc;
    PMIX_LOAD_PROCID(&proc, pmix_launch.me.nspace, (pmix_rank_t)pe);
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_TIMEOUT, &seconds, PMIX_INT);
    pmix_value_t *value = NULL;
    const pmix_status_t rc = PMIx_Get(&proc, key_of(key, sizeof key, name), &info, 1, &value);
    if (rc != PMIX_SUCCESS) {
        *why = kit_sentence("the launcher has no \"%s\" of PE %d: %s", key, pe, PMIx_Error_string(rc));
        return 0;
    }
    size_t n = 0;
    if (value->type == PMIX_BYTE_OBJECT && value->data.bo.size <= room) {
        n = value->data.bo.size;
        memcpy(bytes, value->data.bo.bytes, n);
    } else {
        *why = kit_sentence("\"%s\" of PE %d is of type %d with more than %zu bytes", key, pe, value->type, room);
    }
    PMIX_VALUE_RELEASE(value);
    return n;
}

/* The values of all PEs, by kind and PE, for use after outlive. */
enum { KEPT_CARD, KEPT_DOOR, KEPT_KINDS };
static const char *const kept_name[KEPT_KINDS] = {"card", "door"};
static struct kept {
    size_t n;
    unsigned char bytes[];
} **kept; /* [pe * KEPT_KINDS + kind] */

void pmix_keep_values(void)
{
    unsigned char bytes[BOOT_CARD_BYTES];
    kept = calloc((size_t)pmix_launch.n_pes * KEPT_KINDS, sizeof *kept);
    for (int i = 0; kept && i < pmix_launch.n_pes * KEPT_KINDS; i++) {
        const char *why;
        const size_t n = ask_launcher(i / KEPT_KINDS, kept_name[i % KEPT_KINDS], bytes, sizeof bytes, LAUNCHER_SECONDS,
                                      &why);
        if (n && (kept[i] = malloc(sizeof **kept + n))) {
            kept[i]->n = n;
            memcpy(kept[i]->bytes, bytes, n);
        }
    }
}

void pmix_drop_values(void)
{
    for (int i = 0; kept && i < pmix_launch.n_pes * KEPT_KINDS; i++)
        free(kept[i]);
    free(kept);
    kept = NULL;
}

size_t pmix_get_value(int pe, const char *name, void *bytes, size_t room, const char **why)
{
    if (!pmix_launch.left)
        return ask_launcher(pe, name, bytes, room, LAUNCHER_SECONDS, why);
    int kind = 0;
    while (kind < KEPT_KINDS && strcmp(name, kept_name[kind]) != 0)
        kind++;
    const struct kept *found = kept && kind < KEPT_KINDS ? kept[pe * KEPT_KINDS + kind] : NULL;
    if (!found || found->n > room) {
        *why = kit_sentence("no \"%s\" of PE %d with at most %zu bytes has been kept", name, pe, room);
        return 0;
    }
    memcpy(bytes, found->bytes, found->n);
    return found->n;
}

/* The value of a PE of this host. The PE may not have put it yet, because a program may do other things before
 * shmem_init. Open MPI 4's server may lose a request that arrives while the PE puts the value, so requests are
 * repeated. */
enum { AWAIT_SECONDS = 600 };
size_t pmix_await_value(int pe, const char *name, void *bytes, size_t room, const char **why)
{
    const uint64_t end = clock_told() + AWAIT_SECONDS * UINT64_C(1000000000);
    while (clock_told() < end) {
        const size_t n = ask_launcher(pe, name, bytes, room, 1, why); /* usually, the launcher waits */
        if (n)
            return n;
        if (PMIx_Commit() == PMIX_ERR_UNREACH) { /* commits nothing: PMIx_Get does not report a dead launcher */
            *why = kit_sentence("the launcher has ended while this PE waited for the \"%s\" of PE %d", name, pe);
            return 0;
        }
        poll(NULL, 0, 100);
    }
    *why = kit_sentence("PE %d, of the same host, has not put its \"%s\" within %d s, as it does in shmem_init", pe,
                        name, AWAIT_SECONDS);
    return 0;
}
