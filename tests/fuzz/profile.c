/* sources: tools/profile/load.c tools/profile/places.c tools/profile/waits.c */
/* sources: tools/profile/hints.c tools/profile/json.c tools/profile/text.c */
/* sources: tools/profile/trace.c tools/profile/hosts.c */
/* flags: -DCOPAL_PAGE="ROOT/tools/profile/page.html" -Wl,--wrap=open,--wrap=fstat,--wrap=mmap,--wrap=close */
/* flags: -Wl,--wrap=opendir,--wrap=readdir,--wrap=closedir */
/* parser: tools/profile/load.c tools/profile/waits.c tools/profile/trace.c */
/* parser: tools/profile/json.c tools/profile/text.c tools/profile/hints.c */
/* The piece files of a profile: in the input, each begins with its magic number and ends before the next magic number.
 * Their length limits the length of the output. */
#include "given.h"

#include "../../tools/copal-backtrace/places.h"
#include "../../tools/profile/profile.h"

#include <dirent.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { MOST = 16, FIRST = 500 }; /* pieces, and their descriptors */
static struct {
    const uint8_t *data;
    size_t bytes;
    void *copy; /* in memory that ends with the piece */
} pieces[MOST];
static int n_pieces, n_read;

/* --- the folder --------------------------------------------------------------------------------------------------- */

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
int __real_fstat(int fd, struct stat *status);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *folder);
int __real_closedir(DIR *folder);

static bool is_piece(int fd)
{
    return fd >= FIRST && fd < FIRST + n_pieces;
}

int __wrap_open(const char *path, int flags, ...)
{
    int number;
    va_list args;
    va_start(args, flags);
    const int mode = va_arg(args, int);
    va_end(args);
    return sscanf(path, GIVEN "/pieces/%d", &number) == 1 ? FIRST + number : __real_open(path, flags, mode);
}

int __wrap_close(int fd)
{
    return is_piece(fd) ? 0 : __real_close(fd);
}

int __wrap_fstat(int fd, struct stat *status)
{
    if (!is_piece(fd))
        return __real_fstat(fd, status);
    status->st_size = (off_t)pieces[fd - FIRST].bytes;
    return 0;
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (!is_piece(fd))
        return __real_mmap(at, bytes, protection, flags, fd, offset);
    pieces[fd - FIRST].copy = malloc(bytes);
    return memcpy(pieces[fd - FIRST].copy, pieces[fd - FIRST].data, bytes);
}

static DIR *const given_folder = (DIR *)pieces;
DIR *__wrap_opendir(const char *path)
{
    n_read = 0;
    return strncmp(path, GIVEN, sizeof GIVEN - 1) == 0 ? given_folder : __real_opendir(path);
}

struct dirent *__wrap_readdir(DIR *folder)
{
    static struct dirent entry;
    if (folder != given_folder)
        return __real_readdir(folder);
    snprintf(entry.d_name, sizeof entry.d_name, "%d", n_read);
    return n_read++ < n_pieces ? &entry : NULL;
}

int __wrap_closedir(DIR *folder)
{
    return folder == given_folder ? 0 : __real_closedir(folder);
}

/* --- what the tool needs ------------------------------------------------------------------------------------------ */

void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(format, args);
}

void *zeroed(size_t n, size_t bytes)
{
    return calloc(n ? n : 1, bytes);
}

char *text(const char *format, ...)
{
    char *made;
    va_list args;
    va_start(args, format);
    if (vasprintf(&made, format, args) < 0)
        abort();
    va_end(args);
    return made;
}

static bool open_file(const char *path) { return path[0] == '/'; }
static int places_at(uint64_t address, struct place *places, int most)
{
    (void)most;
    places[0] = (struct place){.file = "a.c", .function = "f", .line = (int)(address % 100)};
    return address % 2;
}

const struct finder *load_finder(void)
{
    static const struct finder finder = {.open_file = open_file, .at = places_at};
    return &finder;
}

/* --- the input ---------------------------------------------------------------------------------------------------- */

static size_t written, allowed;

static ssize_t count(void *cookie, const char *data, size_t bytes)
{
    (void)cookie, (void)data;
    written += bytes;
    if (written > allowed)
        abort(); /* the output would grow without end */
    return (ssize_t)bytes;
}

static void split(const uint8_t *data, size_t bytes)
{
    n_pieces = 0;
    for (size_t at = 0; at < bytes && n_pieces < MOST;) {
        const uint8_t *next = memmem(data + at + 1, bytes - at - 1, PIECE_MAGIC, sizeof PIECE_MAGIC - 1);
        const size_t now = next ? (size_t)(next - data) - at : bytes - at;
        pieces[n_pieces].data = data + at;
        pieces[n_pieces].copy = NULL;
        pieces[n_pieces++].bytes = now;
        at += now;
    }
}

/* An unterminated name runs into the following bytes of the file, which no sanitizer reports. */
static void look_at_names(const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_sites; i++)
        if (strlen(p->sites[i].routine) >= sizeof ((struct piece_site *)0)->routine ||
            (p->sites[i].module && strlen(p->sites[i].module) >= sizeof(struct piece_module)))
            abort();
    if (strlen(p->program) >= sizeof ((struct piece_head *)0)->program)
        abort();
}

static void make(struct profile *p, FILE *out)
{
    load(p, GIVEN);
    look_at_names(p);
    find_hosts(p);
    find_places(p);
    find_waits(p);
    find_hints(p);
    json_write(p, out, 1024);
    page_write(p, out);
    text_write(p, out);
    trace_write(p, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct profile *const p = calloc(1, sizeof *p);
    FILE *const out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = count});
    split(data, bytes);
    written = 0;
    allowed = ((size_t)16 << 20) * (size_t)(n_pieces + 1) + 5000 * bytes;
    if (setjmp(refused) == 0)
        make(p, out);
    fclose(out);
    for (int i = 0; p->pe && i < p->n_pes; i++)
        free(p->pe[i].site);
    for (uint32_t i = 0; i < p->n_sites; i++) {
        free(p->sites[i].file);
        free(p->sites[i].function);
    }
    for (int i = 0; i < p->n_hints; i++)
        free(p->hints[i]);
    for (int i = 0; i < n_pieces; i++)
        free(pieces[i].copy);
    free(p->pe);
    free(p->sites);
    free(p->algorithms);
    free(p->waits);
    free(p->waits_time);
    free(p->hints);
    free(p->hosts);
    free(p);
    return 0;
}
