/* Whether the program also calls OpenSHMEM itself.
 *
 * The core records its own puts, so a segment without puts needs no completion.  It does not see puts that the program
 * makes by OpenSHMEM.  A program that calls OpenSHMEM imports its routines, or loads a library that imports them, such
 * as the Fortran module's; the relocations of the loaded objects show these imports.  They do not show a library that
 * the program loads later by dlopen. */
#include "library.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

/* Most loaders replace the offsets in the dynamic section by addresses, but not for every object. */
static const void *address_in(uintptr_t base, uintptr_t pointer)
{
    return (const void *)(pointer < base ? base + pointer : pointer);
}

static bool imports(const ElfW(Rela) *relocations, size_t bytes, const ElfW(Sym) *symbols, const char *names)
{
    for (size_t i = 0; i < bytes / sizeof *relocations; i++) {
        const ElfW(Sym) *s = &symbols[ELF64_R_SYM(relocations[i].r_info)];
        if (s->st_shndx == SHN_UNDEF && strncmp(names + s->st_name, "shmem_", strlen("shmem_")) == 0)
            return true;
    }
    return false;
}

static int object_imports(struct dl_phdr_info *object, size_t bytes, void *own)
{
    enum { KNOWN = DT_JMPREL + 1 };
    uintptr_t values[KNOWN] = {0};
    const uintptr_t base = object->dlpi_addr;
    const ElfW(Dyn) *entry = NULL;
    (void)bytes;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (uintptr_t)own - base - segment->p_vaddr < segment->p_memsz)
            return 0; /* the core itself */
        if (segment->p_type == PT_DYNAMIC)
            entry = (const void *)(base + segment->p_vaddr);
    }
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag > 0 && entry->d_tag < KNOWN)
            values[entry->d_tag] = entry->d_un.d_val;
    if (!values[DT_SYMTAB] || !values[DT_STRTAB])
        return 0;
    const ElfW(Sym) *symbols = address_in(base, values[DT_SYMTAB]);
    const char *names = address_in(base, values[DT_STRTAB]);
    return imports(address_in(base, values[DT_RELA]), values[DT_RELASZ], symbols, names) ||
           (values[DT_PLTREL] == DT_RELA &&
            imports(address_in(base, values[DT_JMPREL]), values[DT_PLTRELSZ], symbols, names));
}

bool caf_program_calls_openshmem(void)
{
    static char own;
    return dl_iterate_phdr(object_imports, &own) != 0;
}
