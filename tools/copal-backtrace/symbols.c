#include "places.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char maps[64];
static char *only; /* the file of open_file, or NULL */

static bool open_process(pid_t process)
{
    snprintf(maps, sizeof maps, "/proc/%d/maps", (int)process);
    return access(maps, R_OK) == 0;
}

static bool open_file(const char *path)
{
    free(only);
    only = strdup(path);
    return only && access(path, R_OK) == 0;
}

/* The file that is mapped at the address, and the address of its first byte. */
static char *module_at(uintptr_t address, uintptr_t *base)
{
    FILE *in = fopen(maps, "r");
    char line[4096 + 100], *path = NULL;
    while (in && !path && fgets(line, sizeof line, in)) {
        unsigned long from, to, offset;
        int at = 0;
        if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &from, &to, &offset, &at) < 3 || !at || line[at] != '/')
            continue;
        line[strcspn(line, "\n")] = '\0';
        if (address >= from && address < to) {
            path = strdup(line + at);
            *base = from - offset;
        }
    }
    if (in)
        fclose(in);
    return path;
}

struct file {
    const char *bytes;
    size_t size;
};

/* A part of a file, if the file contains all of it; else NULL. */
static const void *part(const struct file *f, uint64_t offset, uint64_t bytes)
{
    return offset <= f->size && bytes <= f->size - offset ? f->bytes + offset : NULL;
}

/* Converts the offset in the file to the address for which it was linked. */
static uintptr_t linked_at(const struct file *f, const ElfW(Ehdr) *head, uintptr_t offset)
{
    const ElfW(Phdr) *p = part(f, head->e_phoff, (uint64_t)head->e_phnum * sizeof *p);
    for (int i = 0; p && i < head->e_phnum; i++)
        if (p[i].p_type == PT_LOAD && offset >= p[i].p_offset && offset - p[i].p_offset < p[i].p_filesz)
            return offset - p[i].p_offset + p[i].p_vaddr;
    return offset;
}

static const char *symbol_in(const struct file *f, const ElfW(Shdr) *table, const ElfW(Shdr) *names, uintptr_t at)
{
    const ElfW(Sym) *s = part(f, table->sh_offset, table->sh_size);
    const char *text = part(f, names->sh_offset, names->sh_size);
    for (size_t i = 0; s && text && i < table->sh_size / sizeof *s; i++)
        if ((s[i].st_info & 0xf) == STT_FUNC && at - s[i].st_value < s[i].st_size && s[i].st_name < names->sh_size)
            return text + s[i].st_name;
    return NULL;
}

static const char *symbol_at(const struct file *f, uintptr_t offset)
{
    const ElfW(Ehdr) *head = part(f, 0, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
        return NULL;
    const ElfW(Shdr) *s = part(f, head->e_shoff, (uint64_t)head->e_shnum * sizeof *s);
    const uintptr_t at = only ? offset : linked_at(f, head, offset);
    const char *symbol = NULL;
    for (int i = 0; s && i < head->e_shnum && !symbol; i++)
        if ((s[i].sh_type == SHT_SYMTAB || s[i].sh_type == SHT_DYNSYM) && s[i].sh_link < head->e_shnum)
            symbol = symbol_in(f, &s[i], &s[s[i].sh_link], at);
    return symbol;
}

static int places_at(uintptr_t address, struct place *places, int most)
{
    uintptr_t base = 0;
    struct stat status;
    struct file f = {NULL, 0};
    struct place place = {.module = only ? only : module_at(address, &base)};
    if (!place.module || most < 1)
        return 0;
    place.offset = address - base;
    const int fd = open(place.module, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0) {
        void *at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0); /* until this process ends */
        if (at != MAP_FAILED)
            f = (struct file){at, (size_t)status.st_size};
        close(fd);
    }
    place.function = place.symbol = symbol_at(&f, place.offset);
    places[0] = place;
    return 1;
}

static const char *no_variable(uintptr_t address, uintptr_t *offset)
{
    (void)address;
    *offset = 0;
    return NULL;
}

const struct finder symbols = {open_process, open_file, places_at, no_variable};
