/* Single calls for a trace, from the start until the buffer is full. */
#include "profile/record/record.h"

#include "job/settings.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

struct piece_event *events;
uint32_t events_n;
uint64_t events_cut;
static uint32_t room;
static uintptr_t statics_from, statics_to;

/* dl_iterate_phdr calls this for the program first. */
static int find_statics(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    statics_from = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
            statics_to = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    return 1;
}

void events_begin(int n_pes)
{
    enum { MOST = 1 << 17, LEAST = 1 << 8, OF_ALL = 1 << 20 };
    if (!setting_on(SETTING_SHMEM_TRACE))
        return;
    room = (uint32_t)(OF_ALL / n_pes > MOST ? MOST : OF_ALL / n_pes < LEAST ? LEAST : OF_ALL / n_pes);
    events = calloc(room, sizeof *events);
    dl_iterate_phdr(find_statics, NULL);
}

/* An object's number, the same on all PEs: odd for statics, even for the heap. */
static uint64_t place_of(const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    if (at - statics_from < statics_to - statics_from)
        return 2 * (at - statics_from) + 1;
    return 2 * (at - (uintptr_t)memory_first);
}

static void update(struct piece_event *e, const void *place, size_t bytes, bool has_value, uint64_t value)
{
    e->kind = PIECE_UPDATES;
    e->place = place_of(place);
    e->place_bytes = bytes;
    e->has_value = has_value;
    e->value = value;
}

static void describe(struct piece_event *e, const struct tap_call *call, size_t bytes)
{
    if (call->signal) {
        update(e, call->signal, sizeof *call->signal, true, call->value);
        e->operation = (uint8_t)call->operation;
    } else if (call->kind == TAP_PUT && call->dest) {
        const bool short_enough = bytes <= sizeof e->value;
        uint64_t value = 0;
        if (short_enough && call->source && !(call->flags & TAP_NONBLOCKING))
            memcpy(&value, call->source, bytes);
        update(e, call->dest, bytes, short_enough, value);
    } else if (call->kind == TAP_ATOMIC && call->flags & TAP_WRITES) {
        update(e, call->dest, call->bytes, false, 0);
    } else if (call->kind == TAP_WAIT) {
        e->kind = PIECE_WAITS;
        e->place = place_of(call->source);
        e->place_bytes = call->bytes * call->count;
        e->operation = (uint8_t)call->operation;
        e->has_value = call->count == 1;
        e->value = call->value;
    }
}

void event_note(const struct tap_call *call, const struct site *site, size_t bytes, uint64_t now, uint16_t thread)
{
    if (events_n == room) {
        events_cut++;
        return;
    }
    struct piece_event *e = &events[events_n++];
    *e = (struct piece_event){.began = (int64_t)call->began, .ended = (int64_t)now, .bytes = bytes,
                              .site = site->number, .pe = call->pe, .thread = thread};
    describe(e, call, bytes);
}
