#include "boot/mpi/mpi.h"

#include "boot/kit/kit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct library library;

static bool handles_are_pointers;

/* MPI_COMM_WORLD and MPI_BYTE in MPICH's binary interface, and in MPI 5's. */
enum { MPICH_WORLD = 0x44000000, MPICH_BYTE = 0x4c00010d, ABI_WORLD = 0x101, ABI_BYTE = 0x247 };

/* MPI allows MPI_Get_library_version before MPI_Init. */
static char *version_text(void)
{
    enum { LONGEST = 8192 + 1 }; /* MPI_MAX_LIBRARY_VERSION_STRING: 256 in Open MPI, 8192 in MPICH */
    static char text[LONGEST];
    int length = 0;
    text[0] = '\0';
    library.get_library_version(text, &length);
    return text;
}

static void *find(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

/* Whether the MPI has MPICH's binary interface. */
static bool is_like_mpich(const char *version)
{
    static const char *const names[] = {"MPICH", "Intel(R) MPI", "MVAPICH"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(version, names[i]))
            return true;
    return false;
}

/* MPI 5's binary interface, which Open MPI, MPICH and Intel MPI have in an additional library. */
static bool has_standard_abi(void)
{
    Dl_info at;
    return dladdr(*(void **)&library.comm_rank, &at) && at.dli_fname && strstr(at.dli_fname, "libmpi_abi.");
}

/* Open MPI's handles are objects of its library; their names identify Open MPI. NULL, or a sentence if the MPI is
 * unknown: an unknown MPI might use a handle of another interface as a pointer. */
static const char *find_handles(void)
{
    char name[100];
    void *world = find("ompi_mpi_comm_world"), *byte = find("ompi_mpi_byte");
    const bool is_standard = has_standard_abi(), is_open_mpi = !is_standard && world && byte;
    handles_are_pointers = is_standard || is_open_mpi;
    library.world = is_standard ? ABI_WORLD : is_open_mpi ? (library_handle)world : MPICH_WORLD;
    library.byte = is_standard ? ABI_BYTE : is_open_mpi ? (library_handle)byte : MPICH_BYTE;
    if (handles_are_pointers || is_like_mpich(version_text()))
        return NULL;
    return kit_sentence("the bootstrap uses MPI, and the binary interface of this program's MPI, \"%s\", is not known: "
                        "allowed are those of MPI 5 (libmpi_abi), Open MPI and MPICH (also Intel MPI, MVAPICH and Cray "
                        "MPICH)", library_name(name, sizeof name));
}

const char *library_find(void)
{
    static const struct {
        const char *name;
        void *at;
    } functions[] = {{"MPI_Get_library_version", &library.get_library_version},
                     {"MPI_Initialized", &library.initialized},
                     {"MPI_Finalized", &library.finalized},
                     {"MPI_Comm_rank", &library.comm_rank},
                     {"MPI_Comm_size", &library.comm_size},
                     {"MPI_Comm_dup", &library.comm_dup},
                     {"MPI_Comm_free", &library.comm_free},
                     {"MPI_Allgather", &library.allgather},
                     {"MPI_Barrier", &library.barrier},
                     {"MPI_Abort", &library.abort}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (!(*(void **)functions[i].at = find(functions[i].name)))
            return kit_sentence("the bootstrap uses MPI, and this program is not linked with an MPI (%s is missing)",
                                functions[i].name);
    const char *why = find_handles();
    if (why)
        return why;
    return library_works() ? NULL : "the bootstrap uses MPI, which works only between MPI_Init and MPI_Finalize; "
                                    "call MPI_Init before shmem_init";
}

bool library_works(void)
{
    int begun = 0, ended = 0;
    return library.initialized(&begun) == 0 && library.finalized(&ended) == 0 && begun && !ended;
}

const char *library_duplicate(library_handle *comm)
{
    *comm = 0;
    const int code = library.comm_dup(library.world, comm);
    if (!handles_are_pointers)
        *comm = (int)*comm; /* the function has stored an int */
    return code ? kit_sentence("MPI_Comm_dup fails with code %d", code) : NULL;
}

const char *library_name(char *text, size_t room)
{
    char *whole = version_text();
    whole[strcspn(whole, ",\n")] = '\0';
    for (char *c = whole; *c; c++)
        if (*c == '\t')
            *c = ' ';
    snprintf(text, room, "%s", whole);
    return text;
}
