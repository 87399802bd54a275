/* Peers: connected when they are first talked to, by the card that each PE has published. */
#include "net/engine.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct provider_memory *net_heap_memory, *net_data_memory;

/* What a PE publishes; the port's address and the keys of heap and statics follow. */
struct card {
    uint32_t magic;
    uint16_t address_bytes, heap_key_bytes, data_key_bytes;
    uint16_t unused;
    uint64_t heap, data;  /* where they are */
    uint64_t program[3];  /* tells executables apart */
};
#define CARD_MAGIC 0x4e504344u

static uint64_t program[3];

/* --- which program this is ------------------------------------------------------------------------------------------- */

static void mix(const unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) /* FNV */
        program[0] = (program[0] ^ data[i]) * 0x100000001b3u;
    program[1] += bytes;
}

/* The linker's own name for what it has linked, if it gave one. The executable is the first object that is listed. */
static int find_build_id(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_NOTE)
            continue;
        const unsigned char *at = (const unsigned char *)(info->dlpi_addr + p->p_vaddr), *end = at + p->p_memsz;
        while (end - at > (ptrdiff_t)sizeof(ElfW(Nhdr))) { /* the last may end unpadded, and `at` be beyond it */
            const ElfW(Nhdr) *note = (const void *)at;
            const unsigned char *name = at + sizeof *note, *id = name + ((note->n_namesz + 3) & ~3u);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
                mix(id, note->n_descsz);
                *(bool *)found = true;
                return 1;
            }
            at = id + ((note->n_descsz + 3) & ~3u);
        }
    }
    return 1;
}

void card_identify_program(void)
{
    bool found = false;
    program[0] = 0xcbf29ce484222325u;
    program[1] = 0;
    program[2] = node.data_used;
    dl_iterate_phdr(find_build_id, &found);
    const int fd = found ? -1 : open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    unsigned char data[4096];
    for (ssize_t n; fd >= 0 && (n = read(fd, data, sizeof data)) > 0;)
        mix(data, (size_t)n);
    if (fd >= 0)
        close(fd);
}

/* --- cards ----------------------------------------------------------------------------------------------------------- */

size_t card_write(struct port *port, void *to, size_t room)
{
    struct card card = {.magic = CARD_MAGIC, .heap = node.heap, .data = node.data};
    memcpy(card.program, program, sizeof program);
    unsigned char *at = to;
    size_t used = sizeof card, part[3] = {0};
    for (int i = 0; i < 3 && used <= room; i++) {
        if (i == 0)
            part[i] = provider->address(port->provider, at + used, room - used);
        else if (i == 1 ? net_heap_memory : net_data_memory)
            part[i] = provider->memory_key(i == 1 ? net_heap_memory : net_data_memory, at + used, room - used);
        used += (part[i] + 7) & ~(size_t)7;
    }
    card.address_bytes = (uint16_t)part[0];
    card.heap_key_bytes = (uint16_t)part[1];
    card.data_key_bytes = (uint16_t)part[2];
    if (used <= room)
        memcpy(to, &card, sizeof card);
    return used;
}

static _Noreturn void cannot_reach(int pe, const char *why)
{
    char host[256] = "?";
    job_fatal("the network", "cannot reach PE %d on %s: %s", pe, boot->host(pe, host, sizeof host), why);
}

/* The way to the peer and the keys to its memory. */
static bool open_peer(struct peer *peer, const unsigned char *data, size_t bytes, const char **why)
{
    struct card card;
    *why = "its card is damaged";
    if (bytes < sizeof card)
        return false;
    memcpy(&card, data, sizeof card);
    const size_t heap_key = sizeof card + ((card.address_bytes + 7u) & ~7u);
    const size_t data_key = heap_key + ((card.heap_key_bytes + 7u) & ~7u);
    if (card.magic != CARD_MAGIC || data_key + card.data_key_bytes > bytes)
        return false;
    peer->heap = card.heap;
    peer->data = card.data;
    peer->same_program = memcmp(card.program, program, sizeof program) == 0;
    peer->endpoint = provider->connect(peer->port->provider, data + sizeof card, card.address_bytes, why);
    if (!peer->endpoint)
        return false;
    if (card.heap_key_bytes && !(peer->heap_key = provider->key_open(peer->endpoint, data + heap_key, why)))
        return false;
    return !card.data_key_bytes || (peer->data_key = provider->key_open(peer->endpoint, data + data_key, why));
}

struct peer *peer_connect(struct port *port, int pe)
{
    _Alignas(8) unsigned char card[BOOT_CARD_BYTES];
    const char *why = "it has published nothing";
    const bool dead = job_state_of(pe) == JOB_PE_DEAD;
    const size_t bytes = dead ? 0 : boot->lookup(pe, card, sizeof card, &why); /* may take long: without the lock */
    port_lock(port);
    struct peer *peer = port->peers[pe];
    if (!peer) {
        peer = calloc(1, sizeof *peer);
        if (!peer)
            job_fatal("the network", "no memory for the connection to PE %d", pe);
        peer->port = port;
        peer->pe = pe;
        if (dead)
            peer->dead = true;
        else if (!bytes || !open_peer(peer, card, bytes, &why))
            cannot_reach(pe, why);
        peer->next_connected = port->connected;
        port->connected = peer;
        net_stats.connections++;
        net_stats.peer_bytes += sizeof *peer;
        __atomic_store_n(&port->peers[pe], peer, __ATOMIC_RELEASE);
    }
    port_unlock(port);
    return peer;
}

bool peer_same_program(int pe)
{
    const struct peer *peer = peer_of(&net_port, pe);
    return peer->same_program || peer->dead;
}
