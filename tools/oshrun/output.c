/* Forwards the PEs' output line by line: with --tag, and if several PEs write to a file or a pipe, because the C and
 * Fortran libraries write whole buffers there.
 *
 * Each PE writes into its own pipes, and oshrun forwards only whole lines, so no line is torn. Without --tag, stdout
 * and stderr share a pipe if they are one file, so that a PE's output stays in order; otherwise stderr is unchanged. If
 * the reader is slow, oshrun must still handle signals: it stops reading output for a descriptor whose buffer is full,
 * which later makes the PEs wait, and it writes only as much as a writable pipe certainly accepts. */
#include "oshrun.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINE ((size_t)1 << 20) /* a longer line is divided */

struct text {
    char *bytes;
    size_t length, capacity;
};

/* oshrun's own stdout or stderr. */
struct sink {
    int fd;
    struct text text, ends; /* ends: unfinished last lines of PEs, without --tag */
    size_t written;
    bool broken; /* its reader has closed it */
    bool lossy;  /* output was lost by another error, as of a full disk; later output may be written again */
    bool is_file;
};

/* One PE's stdout or stderr, until it ends. */
struct source {
    int fd, pe;
    struct sink *sink;
    struct text line; /* the beginning of an incomplete line */
};

static struct sink sinks[2] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}};
static struct sink *sink_of[2] = {&sinks[0], &sinks[1]}; /* for stdout, for stderr */
static struct source *sources;
static size_t n_sources;
static bool tagging, piping[2]; /* piping: the PEs' stdout, stderr are pipes to oshrun */

static void append(struct text *t, const char *bytes, size_t n)
{
    if (n == 0)
        return;
    if (t->length + n > t->capacity) {
        t->capacity = 2 * (t->length + n);
        t->bytes = enlarge(t->bytes, t->capacity);
    }
    memcpy(t->bytes + t->length, bytes, n);
    t->length += n;
}

/* Raises the limit of open files: two pipes for each PE, and some more. False: the hard limit is too low. */
static bool allow_files(int n_pes)
{
    struct rlimit files;
    rlim_t needed = 2 * (rlim_t)n_pes + 32;
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur >= needed)
        return true;
    if (files.rlim_max < needed && !tagging)
        return false;
    if (files.rlim_max < needed)
        die(EXIT_JOB, "--tag: %d %ss need %llu file descriptors and the limit (ulimit -Hn) is %llu", n_pes,
            words.unit, (unsigned long long)needed, (unsigned long long)files.rlim_max);
    files.rlim_cur = needed;
    setrlimit(RLIMIT_NOFILE, &files);
    return true;
}

/* Whether outputs of several PEs could mix within lines: not on a terminal, nor in /dev/null. */
static bool is_shared(const struct stat *file)
{
    return S_ISREG(file->st_mode) || S_ISFIFO(file->st_mode) || S_ISSOCK(file->st_mode);
}

void output_start(int n_pes, bool tag)
{
    struct stat out = {0}, err = {0};
    fstat(STDOUT_FILENO, &out);
    fstat(STDERR_FILENO, &err);
    const bool are_one = out.st_dev == err.st_dev && out.st_ino == err.st_ino;
    tagging = tag;
    say_between = output_message;
    if (!(tag || (n_pes > 1 && is_shared(&out))) || !allow_files(n_pes))
        return;
    sources = zeroed(2 * (size_t)n_pes, sizeof *sources);
    piping[0] = true;
    piping[1] = tag || are_one;
    sinks[0].is_file = S_ISREG(out.st_mode);
    sinks[1].is_file = S_ISREG(err.st_mode);
    /* If both are one file (2>&1), one sink for both keeps their lines in order, too. */
    if (are_one)
        sink_of[1] = &sinks[0];
}

bool output_pipes(int pe, int writer[2])
{
    for (int i = 0; i < 2 && piping[i]; i++) {
        int ends[2];
        if (i == 1 && !tagging) {
            writer[1] = writer[0];
            break;
        }
        if (pipe2(ends, O_CLOEXEC) != 0)
            return false;
        fcntl(ends[0], F_SETFL, O_NONBLOCK); /* the PE's end stays blocking */
        sources[n_sources++] = (struct source){.fd = ends[0], .pe = pe, .sink = sink_of[i]};
        writer[i] = ends[1];
    }
    return true;
}

size_t output_max_polls(void)
{
    return n_sources + 2;
}

static bool behind(const struct sink *s)
{
    return s->written < s->text.length;
}

size_t output_polls(struct pollfd *polls)
{
    size_t n = 0;
    for (int i = 0; i < 2; i++)
        if (behind(&sinks[i]))
            polls[n++] = (struct pollfd){.fd = sinks[i].fd, .events = POLLOUT};
    for (size_t i = 0; i < n_sources; i++)
        if (!behind(sources[i].sink))
            polls[n++] = (struct pollfd){.fd = sources[i].fd, .events = POLLIN};
    return n;
}

static void write_out(struct sink *s)
{
    int error = 0;
    while (behind(s)) {
        struct pollfd p = {.fd = s->fd, .events = POLLOUT};
        if (poll(&p, 1, 0) == 0)
            return;
        size_t n = s->text.length - s->written;
        ssize_t done = write(s->fd, s->text.bytes + s->written, n < PIPE_BUF || s->is_file ? n : PIPE_BUF);
        if (done < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (done < 0) {
            error = errno;
            break;
        }
        s->written += (size_t)done;
    }
    s->written = s->text.length = 0;
    s->broken |= error == EPIPE;
    if (!error || error == EPIPE || s->lossy)
        return;
    s->lossy = true; /* before the message, whose own text may be lost in the same way */
    say("what the %ss write cannot be passed on, and is lost: %s", words.unit, strerror(error));
}

static void end_line(struct source *s)
{
    if (s->line.length == 0)
        return;
    char tag[16];
    if (tagging)
        append(&s->sink->text, tag, (size_t)snprintf(tag, sizeof tag, "[%d] ", words.first + s->pe));
    append(&s->sink->text, s->line.bytes, s->line.length);
    if (tagging && s->line.bytes[s->line.length - 1] != '\n')
        append(&s->sink->text, "\n", 1);
    s->line.length = 0;
}

/* Reads available output. False: this source has ended. */
static bool read_in(struct source *s)
{
    static char chunk[65536];
    ssize_t n = read(s->fd, chunk, sizeof chunk);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0)
        return false;
    for (const char *p = chunk, *end = chunk + n; p < end;) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *next = newline ? newline + 1 : end;
        append(&s->line, p, (size_t)(next - p));
        if (newline || s->line.length >= MAX_LINE)
            end_line(s);
        p = next;
    }
    return true;
}

static void close_source(size_t i)
{
    struct source *s = &sources[i];
    if (tagging) {
        end_line(s);
    } else if (s->line.length) {
        append(&s->sink->ends, "\n", s->sink->ends.length ? 1 : 0);
        append(&s->sink->ends, s->line.bytes, s->line.length);
    }
    free(sources[i].line.bytes);
    close(sources[i].fd);
    sources[i] = sources[--n_sources];
}

void output_move(void)
{
    for (size_t i = n_sources; i-- > 0;) {
        struct source *s = &sources[i];
        write_out(s->sink);
        /* A PE whose reader has closed the pipe gets SIGPIPE, as it would without oshrun. */
        if (s->sink->broken || (!behind(s->sink) && !read_in(s)))
            close_source(i);
    }
    write_out(&sinks[0]);
    write_out(&sinks[1]);
}

void output_close(void)
{
    while (n_sources > 0) {
        struct source *s = &sources[n_sources - 1];
        size_t before;
        do {
            before = s->sink->text.length + s->line.length;
        } while (!s->sink->broken && read_in(s) && s->sink->text.length + s->line.length > before);
        close_source(n_sources - 1);
    }
    for (int i = 0; i < 2; i++) {
        append(&sinks[i].text, sinks[i].ends.bytes, sinks[i].ends.length);
        sinks[i].ends.length = 0;
    }
    output_move();
}

bool output_idle(void)
{
    return n_sources == 0 && !behind(&sinks[0]) && !behind(&sinks[1]);
}

bool output_is_lost(void)
{
    return sinks[0].lossy || sinks[1].lossy;
}

bool output_message(const char *text, size_t bytes)
{
    if (!piping[1])
        return false;
    append(&sink_of[1]->text, text, bytes);
    write_out(sink_of[1]);
    return true;
}
