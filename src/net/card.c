#include "net/card.h"

#include "boot/boot.h"
#include "common/hash.h"
#include "net/net.h"
#include "net/region.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

/* The head of the contact information; the port's address and the keys of heap segment 0 and of statics follow. */
struct card_head {
    uint32_t magic;
    uint16_t address_bytes, heap_key_bytes, data_key_bytes;
    uint8_t module;  /* the kind of network (net_module) */
    bool adapter;
    uint64_t heap, data;
    uint64_t reach;      /* net_tune.reach, which determines the heap's segments */
    uint64_t program[3]; /* identifies the executable */
    uint64_t machine;
};
#define CARD_MAGIC 0x4e504345u

static struct provider_memory *data_memory;
static uint64_t program[3];

/* --- the program's identity --------------------------------------------------------------------------------------- */

static void mix(const unsigned char *data, size_t bytes)
{
    program[0] = hash_bytes(program[0], data, bytes);
    program[1] += bytes;
}

/* The linker's build ID, if there is one.  The executable is the first object in the list. */
static int find_build_id(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_NOTE)
            continue;
        const unsigned char *at = (const unsigned char *)(info->dlpi_addr + p->p_vaddr), *end = at + p->p_memsz;
        while (end - at > (ptrdiff_t)sizeof(ElfW(Nhdr))) { /* the last note may lack padding: `at` then passes `end` */
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

static void identify_program(void)
{
    bool found = false;
    program[0] = HASH_START;
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

/* --- this PE's contact information -------------------------------------------------------------------------------- */

static size_t write_card(const struct port *port, void *to, size_t room)
{
    struct card_head head = {.magic = CARD_MAGIC, .module = (uint8_t)net_module, .adapter = net.adapter,
                             .heap = node.heap, .data = node.data, .reach = net_tune.reach,
                             .machine = job_machine()};
    memcpy(head.program, program, sizeof program);
    unsigned char *at = to;
    size_t used = sizeof head, part[3] = {0};
    for (int i = 0; i < 3 && used <= room; i++) {
        if (i == 0)
            part[i] = net_provider->address(port->provider, at + used, room - used);
        else if (i == 1)
            part[i] = region_key(0, at + used, room - used);
        else if (data_memory)
            part[i] = net_provider->memory_key(data_memory, at + used, room - used);
        used += (part[i] + 7) & ~(size_t)7;
    }
    head.address_bytes = (uint16_t)part[0];
    head.heap_key_bytes = (uint16_t)part[1];
    head.data_key_bytes = (uint16_t)part[2];
    if (used <= room)
        memcpy(to, &head, sizeof head);
    return used;
}

void card_publish(const struct port *port)
{
    _Alignas(8) unsigned char card[BOOT_CARD_BYTES];
    const char *why = "";
    if (node.data_used)
        data_memory = net_provider->memory_open((void *)node.data, node.data_used, node.data_at, &why);
    if (node.data_used && !data_memory)
        region_refused("the program's variables", node.data_used, why);
    identify_program();
    const size_t bytes = write_card(port, card, sizeof card);
    if (bytes > sizeof card)
        job_fatal("shmem_init", "the network's address takes %zu bytes, and allowed are at most %zu; name fewer "
                  "devices (UCX_NET_DEVICES)", bytes, sizeof card);
    boot->publish(card, bytes);
}

void card_withdraw(void)
{
    region_close_all();
    if (data_memory)
        net_provider->memory_close(data_memory);
    data_memory = NULL;
}

/* --- other PEs' contact information ------------------------------------------------------------------------------- */

bool card_read(struct card *card, const unsigned char *data, size_t bytes)
{
    struct card_head head;
    if (bytes < sizeof head)
        return false;
    memcpy(&head, data, sizeof head);
    const size_t heap_key = sizeof head + ((head.address_bytes + 7u) & ~7u);
    const size_t data_key = heap_key + ((head.heap_key_bytes + 7u) & ~7u);
    if (head.magic != CARD_MAGIC || head.module != net_module || head.adapter != net.adapter ||
        head.reach != net_tune.reach || data_key + head.data_key_bytes > bytes)
        return false;
    *card = (struct card){
        .address = data + sizeof head,
        .address_bytes = head.address_bytes,
        .heap_key = head.heap_key_bytes ? data + heap_key : NULL,
        .data_key = head.data_key_bytes ? data + data_key : NULL,
        .heap = head.heap,
        .data = head.data,
        .same_program = memcmp(head.program, program, sizeof program) == 0,
    };
    return true;
}

static uint64_t machine_of(int pe)
{
    _Alignas(8) unsigned char data[BOOT_CARD_BYTES];
    struct card_head head = {0};
    const char *why;
    if (boot->lookup(pe, data, sizeof data, &why) >= sizeof head)
        memcpy(&head, data, sizeof head);
    return head.magic == CARD_MAGIC ? head.machine : 0;
}

/* One look-up is usually enough, as the next node is usually on another machine. */
int net_sharing(void)
{
    if (!net.active)
        return self.n_pes;
    const uint64_t first = machine_of(0);
    int pe = self.node_size;
    while (first && pe < self.n_pes && machine_of(pe) == first)
        pe += self.node_size;
    return pe < self.n_pes ? pe : self.n_pes;
}
