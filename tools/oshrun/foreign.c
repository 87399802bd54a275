/* Detects, by the libraries that it is linked with, a program of another runtime: each of its processes would run as a
 * separate job. gfortran's libcaf_shmem is linked statically, and is found by the name of an environment variable that
 * it reads. */
#include "oshrun.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    const char *bytes;
    size_t size;
};

static const void *part(const struct file *f, uint64_t at, size_t bytes)
{
    return at <= f->size && bytes <= f->size - at ? f->bytes + at : NULL;
}

/* The first program header of this type; except for PT_DYNAMIC, its bytes must contain this address. */
static const ElfW(Phdr) *header(const struct file *f, uint32_t type, uint64_t address)
{
    const ElfW(Ehdr) *e = part(f, 0, sizeof *e);
    const bool is_elf = e && memcmp(e->e_ident, ELFMAG, SELFMAG) == 0 && e->e_phentsize == sizeof(ElfW(Phdr)) &&
                        e->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32);
    for (int i = 0; is_elf && i < e->e_phnum; i++) {
        const ElfW(Phdr) *p = part(f, e->e_phoff + (uint64_t)i * sizeof *p, sizeof *p);
        if (p && p->p_type == type && (type == PT_DYNAMIC || address - p->p_vaddr < p->p_filesz))
            return p;
    }
    return NULL;
}

static const ElfW(Dyn) *entry(const struct file *f, const ElfW(Phdr) *dynamic, size_t i)
{
    const bool is_inside = i < dynamic->p_filesz / sizeof(ElfW(Dyn));
    const ElfW(Dyn) *d = is_inside ? part(f, dynamic->p_offset + i * sizeof *d, sizeof *d) : NULL;
    return d && d->d_tag != DT_NULL ? d : NULL;
}

/* The first library that the file is linked with and whose name begins with `begin`; or NULL. */
static const char *linked_with(const struct file *f, const char *begin)
{
    const ElfW(Phdr) *dynamic = header(f, PT_DYNAMIC, 0);
    const ElfW(Dyn) *d;
    uint64_t names = 0;
    for (size_t i = 0; dynamic && (d = entry(f, dynamic, i)); i++)
        if (d->d_tag == DT_STRTAB)
            names = d->d_un.d_ptr;
    const ElfW(Phdr) *loaded = names ? header(f, PT_LOAD, names) : NULL;
    for (size_t i = 0; loaded && (d = entry(f, dynamic, i)); i++) {
        const uint64_t at = names - loaded->p_vaddr + loaded->p_offset + d->d_un.d_val;
        const char *name = d->d_tag == DT_NEEDED ? part(f, at, 1) : NULL;
        if (name && memchr(name, 0, f->size - at) && strncmp(name, begin, strlen(begin)) == 0)
            return name;
    }
    return NULL;
}

static void say_of(const char *program, const struct file *f)
{
    const char *name;
    if (linked_with(f, "libshmem.so") || linked_with(f, "libcaf_gfortran") || linked_with(f, "libprif_copal"))
        return;
    if ((name = linked_with(f, "liboshmem.so")) || (name = linked_with(f, "libsma.so")))
        say("%s is linked with %s, another OpenSHMEM's library, so that each process is a job of one PE: compile it by "
            "copal-oshcc, or start it by that OpenSHMEM's own oshrun or mpirun", program, name);
    else if ((name = linked_with(f, "libcaf_openmpi")) || (name = linked_with(f, "libcaf_mpi")))
        say("%s is linked with %s, OpenCoarrays' library, so that each process is a job of one image: compile it by "
            "copal-caf, or start it by OpenCoarrays' own cafrun or mpirun", program, name);
    else if ((name = linked_with(f, "libmpi.so")) || (name = linked_with(f, "libmpich.so")) ||
             (name = linked_with(f, "libmpi_abi.so")))
        say("%s is linked with %s and not with libshmem, so that each process is an MPI job of one rank: start it by "
            "mpirun or mpiexec", program, name);
    else if (memmem(f->bytes, f->size, "GFORTRAN_SHMEM_PPID", sizeof "GFORTRAN_SHMEM_PPID"))
        say("%s is linked with libcaf_shmem, gfortran's own library, so that each process is a job of its own: link it "
            "by copal-caf, or start it without %s, with the number of images in GFORTRAN_NUM_IMAGES", program,
            words.tool);
}

bool find_program(const struct app *app, char path[PATH_MAX])
{
    const char *name = app->argv[0];
    const bool is_in_wdir = app->wdir && *name != '/';
    if (!strchr(name, '/'))
        return find_on_path(name, X_OK, path);
    snprintf(path, PATH_MAX, "%s%s%s", is_in_wdir ? app->wdir : "", is_in_wdir ? "/" : "", name);
    return true;
}

void say_if_foreign(const struct app *app)
{
    char path[PATH_MAX];
    if (!find_program(app, path))
        return;
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        struct file f = {.size = (size_t)status.st_size};
        f.bytes = mmap(NULL, f.size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (f.bytes != MAP_FAILED) {
            say_of(app->argv[0], &f);
            munmap((void *)f.bytes, f.size);
        }
    }
    if (fd >= 0)
        close(fd);
}
