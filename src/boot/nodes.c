/* The bootstrap of oshrun's jobs that SHMEM_NODES splits into nodes, to test programs and the network on one machine.
 *
 * All PEs have records in one job file, for oshrun and the bootstrap. They share memory within a node only; the nodes
 * communicate through the network as if they were machines. */
#include "boot/boot.h"
#include "common/number.h"
#include "job/self.h"
#include "job/settings.h"
#include "wait/meeting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- SHMEM_NODES -------------------------------------------------------------------------------------------------- */

static _Noreturn void nonsense(int n_pes)
{
    char allowed[120];
    snprintf(allowed, sizeof allowed,
             " for %d PEs is a number of nodes from 1 to %d, or the number of PEs on each node, as in 3+1", n_pes,
             n_pes);
    setting_refuse(SETTING_SHMEM_NODES, allowed);
}

/* "3+1": the PEs of each node. */
static void layout_by_list(struct boot_layout *layout, const char *text)
{
    int first = 0, size_of_first = 0, nodes = 0, node_of_me = -1;
    bool uniform = true;
    for (const char *at = text; *at; nodes++) {
        char *end;
        const long n = strtol(at, &end, 10);
        if (*at < '0' || *at > '9' || (*end != '+' && *end) || (*end == '+' && !end[1]) || n < 1 ||
            n > layout->n_pes - first)
            nonsense(layout->n_pes);
        at = *end ? end + 1 : end;
        size_of_first = nodes ? size_of_first : (int)n;
        uniform = uniform && (n == size_of_first || (n < size_of_first && !*at));
        if (layout->pe >= first && layout->pe < first + n) {
            layout->first = first;
            layout->n_local = (int)n;
            node_of_me = nodes;
        }
        first += (int)n;
    }
    if (first != layout->n_pes || node_of_me < 0)
        nonsense(layout->n_pes);
    layout->node_size = uniform ? size_of_first : 1;
}

static void layout_by_number(struct boot_layout *layout, const char *text)
{
    int n;
    if (!number_of(text, 1, layout->n_pes, &n))
        nonsense(layout->n_pes);
    const int size = (layout->n_pes + n - 1) / n;
    if ((layout->n_pes + size - 1) / size == n) { /* all nodes are equal, except perhaps the last */
        layout->first = layout->pe / size * size;
        layout->n_local = layout->n_pes - layout->first < size ? layout->n_pes - layout->first : size;
        layout->node_size = size;
        return;
    }
    /* Equal nodes would leave the last nodes without PEs, so some are smaller: 4 PEs on 3 nodes are 2+1+1. */
    const int larger = layout->n_pes % n, in_larger = larger * size;
    const bool mine = layout->pe < in_larger;
    layout->n_local = mine ? size : size - 1;
    layout->first = mine ? layout->pe / size * size : in_larger + (layout->pe - in_larger) / (size - 1) * (size - 1);
    layout->node_size = 1;
}

/* In a job of one PE, the value is only checked. It may be for another job, whose PE has started this program. */
static void check_form(const char *text)
{
    for (char *end = NULL; !end || *end; text = end + 1)
        if (*text < '0' || *text > '9' || strtol(text, &end, 10) < 1 || (*end && *end != '+'))
            setting_refuse(SETTING_SHMEM_NODES, NULL);
}

bool boot_file_wanted(struct boot_layout *layout, int pe, int n_pes)
{
    const char *text = setting_text(SETTING_SHMEM_NODES);
    if (text && n_pes == 1)
        check_form(text);
    if (!text || n_pes == 1)
        return false;
    *layout = (struct boot_layout){.pe = pe, .n_pes = n_pes, .launcher = "oshrun"};
    if (strchr(text, '+'))
        layout_by_list(layout, text);
    else
        layout_by_number(layout, text);
    return layout->n_local < n_pes;
}

/* --- the interface ------------------------------------------------------------------------------------------------ */

struct card_slot {
    uint64_t bytes;
    char data[BOOT_CARD_BYTES];
};
_Static_assert(sizeof(struct card_slot) == JOB_CARD_BYTES, "endpoint addresses fit in the job file");

static void publish(const void *data, size_t bytes)
{
    struct card_slot slot = {.bytes = bytes};
    memcpy(slot.data, data, bytes);
    if (pwrite(self.fd, &slot, sizeof slot, (off_t)job_card_offset(self.n_pes, self.pe)) != sizeof slot)
        job_fatal("shmem_init", "cannot write to the job file: %s", strerror(errno));
}

static size_t lookup(int pe, void *data, size_t room, const char **why)
{
    struct card_slot slot;
    if (pread(self.fd, &slot, sizeof slot, (off_t)job_card_offset(self.n_pes, pe)) != sizeof slot || slot.bytes == 0 ||
        slot.bytes > room) {
        *why = "it has published nothing";
        return 0;
    }
    memcpy(data, slot.data, slot.bytes);
    return slot.bytes;
}

static const char *host(int pe, char *text, size_t room)
{
    (void)pe;
    if (gethostname(text, room) != 0)
        snprintf(text, room, "this machine");
    return text;
}

/* oshrun ends the PEs and the job. */
static void leave_to_oshrun(int code, const char *text)
{
    (void)code, (void)text;
}

const struct boot boot_file = {.version = BOOT_VERSION, .publish = publish, .fence = meeting_here, .lookup = lookup,
                               .host = host, .abort = leave_to_oshrun};
