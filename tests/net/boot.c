/* Exercises the modules for launchers, without the library: boot MODULE cards [ROUNDS], abort PE CODE, watch
 * [MILLISECONDS], or die PE[,PE...] [HOW]. Started by test_boot.py and test_hydra.py under a launcher. */
#include "check.h"
#include "boot/boot.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

static const struct boot *launcher;
static struct boot_layout layout;
static const char *self_path, *module_path;

/* Replaces the node's file in this test. */
struct board {
    uint64_t magic[64];
};
static struct board *board;
static int board_fd = -1;

#define CARD_BYTES 1500 /* the size on a host with eight NICs (job.h) */
static void make_card(unsigned char *card, int pe, int round)
{
    for (int i = 0; i < CARD_BYTES; i++)
        card[i] = (unsigned char)(pe * 31 + i * 7 + round);
}

static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "boot: PE %d: %s: %s\n", layout.pe, what, why);
    exit(1);
}

static void pause_ms(int ms)
{
    poll(NULL, 0, ms);
}

static void start(int round)
{
    const char *why = launcher->begin(&layout);
    if (why)
        give_up("begin", why);
    if (layout.pe == layout.first) {
        board_fd = memfd_create("test-board", MFD_CLOEXEC);
        if (board_fd < 0 || ftruncate(board_fd, sizeof *board) != 0)
            give_up("memfd_create", "failed");
    }
    const int own = board_fd;
    board_fd = launcher->share_file(layout.pe == layout.first ? own : -1, &why);
    if (board_fd < 0)
        give_up("share_file", why);
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, board_fd, 0);
    if (board == MAP_FAILED)
        give_up("mmap", "failed");
    board->magic[layout.pe - layout.first] = 1000000u * (unsigned)round + (unsigned)layout.pe;

    unsigned char card[CARD_BYTES];
    make_card(card, layout.pe, round);
    launcher->publish(card, sizeof card);
    launcher->fence("start");
}

static void stop(void)
{
    launcher->end();
    munmap(board, sizeof *board);
    close(board_fd);
}

/* --- cards -------------------------------------------------------------------------------------------------------- */

static void check_round(int round)
{
    for (int pe = 0; pe < layout.n_pes; pe++) {
        unsigned char expected[CARD_BYTES], card[BOOT_CARD_BYTES];
        const char *why = "?";
        make_card(expected, pe, round);
        const size_t n = launcher->lookup(pe, card, sizeof card, &why);
        CHECK(n == CARD_BYTES, "PE %d, card of PE %d: %zu bytes; %s", layout.pe, pe, n, n ? "" : why);
        CHECK(memcmp(card, expected, CARD_BYTES) == 0, "PE %d, card of PE %d, round %d: other bytes", layout.pe, pe,
              round);
    }
    for (int i = 0; i < layout.n_local; i++)
        CHECK(board->magic[i] == 1000000u * (unsigned)round + (unsigned)(layout.first + i),
              "PE %d: the node's file has %llu from PE %d",
              layout.pe, (unsigned long long)board->magic[i], layout.first + i);
    char mine[100], other[100];
    CHECK(launcher->host(layout.pe, mine, sizeof mine)[0], "the launcher does not know the name of this PE's host");
    for (int i = 0; i < layout.n_local; i++)
        CHECK(strcmp(launcher->host(layout.first + i, other, sizeof other), mine) == 0,
              "PE %d of this node is on %s, this PE on %s", layout.first + i, other, mine);
    CHECK(layout.first <= layout.pe && layout.pe < layout.first + layout.n_local, "first %d, n_local %d", layout.first,
          layout.n_local);
    CHECK(layout.node_size == 1 || layout.first % layout.node_size == 0, "node_size %d, first %d", layout.node_size,
          layout.first);
    const char *why = "?";
    unsigned char tiny[4];
    CHECK(launcher->lookup(0, tiny, sizeof tiny, &why) == 0 && strlen(why) > 10,
          "contact information larger than its buffer was accepted");
}

static void cards(int rounds)
{
    for (int round = 1; round <= rounds; round++) {
        start(round);
        check_round(round);
        launcher->fence("checked");
        stop();
    }
    /* A child process is not a PE. */
    char command[1000];
    snprintf(command, sizeof command, "'%s' '%s' child", self_path, module_path);
    const int status = system(command);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child takes itself for a PE: status %d", status);
    printf("PE %d of %d, node from %d with %d, node size %d, %s\n", layout.pe, layout.n_pes, layout.first,
           layout.n_local, layout.node_size, layout.launcher);
}

/* --- deaths ------------------------------------------------------------------------------------------------------- */

static _Atomic int n_died;
static bool dies_of_it; /* the first PE that is notified of a death dies, too */

static void died(int pe, const char *why)
{
    if (dies_of_it)
        raise(SIGKILL);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    printf("PE %d hears at %lld.%03ld: PE %d: %s\n", layout.pe, (long long)t.tv_sec, t.tv_nsec / 1000000, pe, why);
    fflush(stdout);
    n_died++;
    if (pe == layout.pe)
        _exit(1); /* the launcher is gone */
}

/* No PE dies, so no death must be reported. */
static void watch(int ms)
{
    start(1);
    launcher->watch(died);
    printf("PE %d watches\n", layout.pe);
    fflush(stdout);
    pause_ms(ms);
    launcher->fence("watched");
    if (layout.pe % 2) /* some PEs end while others still watch */
        pause_ms(50);
    launcher->unwatch();
    stop();
    CHECK(n_died == 0, "PE %d was told of %d deaths", layout.pe, n_died);
}

static bool in_list(const char *list, int pe)
{
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (atoi(at) == pe)
            return true;
    return false;
}

/* The PEs in the list die. Unless the launcher ends the other PEs, they wait for notifications of deaths, then end. */
static void die(const char *list, const char *how, int wait_ms)
{
    start(1);
    if (strcmp(how, "outlive") == 0)
        launcher->outlive();
    dies_of_it = strcmp(how, "heard") == 0 && layout.pe + 1 == atoi(list);
    launcher->watch(died);
    pause_ms(500);
    if (in_list(list, layout.pe)) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        printf("PE %d dies at %lld.%03ld\n", layout.pe, (long long)t.tv_sec, t.tv_nsec / 1000000);
        fflush(stdout);
        if (strcmp(how, "exit") == 0)
            _exit(3);
        if (strcmp(how, "quiet") == 0)
            _exit(0);
        if (strcmp(how, "fork") == 0 && fork() == 0) { /* a child that outlives the PE has copies of its descriptors */
            pause_ms(3000);
            _exit(0);
        }
        raise(SIGKILL);
    }
    pause_ms(wait_ms);
    launcher->unwatch();
    if (strcmp(how, "outlive") == 0) {
        unsigned char card[BOOT_CARD_BYTES], expected[CARD_BYTES];
        const char *why = "?";
        make_card(expected, atoi(list), 1);
        CHECK(launcher->lookup(atoi(list), card, sizeof card, &why) == CARD_BYTES &&
                  !memcmp(card, expected, CARD_BYTES),
              "the dead PE's card is lost: %s", why);
        launcher->end();
        printf("PE %d has ended\n", layout.pe);
        return;
    }
    /* Does not call launcher->end: the launcher's cleanup of such a job, which may end late PEs, is not tested. */
    printf("PE %d goes on\n", layout.pe);
    fflush(stdout);
    pause_ms(500);
    _exit(0);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    self_path = argv[0];
    module_path = argv[1];
    if (strcmp(argv[2], "child") == 0)
        return boot_by_pmix() || boot_by_pmi() ? 1 : 0;
    void *module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    launcher = module ? dlsym(module, BOOT_SYMBOL) : NULL;
    if (!launcher || launcher->version != BOOT_VERSION) {
        fprintf(stderr, "boot: cannot load %s: %s\n", argv[1], dlerror());
        return 1;
    }
    if (strcmp(argv[2], "cards") == 0) {
        cards(argc > 3 ? atoi(argv[3]) : 1);
    } else if (strcmp(argv[2], "abort") == 0 && argc == 5) {
        start(1);
        if (getenv("TEST_OUTLIVE"))
            launcher->outlive();
        if (layout.pe == atoi(argv[3])) {
            launcher->abort(atoi(argv[4]), "the test ends the job");
            _exit(atoi(argv[4]));
        }
        pause_ms(60000);
        return 1; /* the job should have ended this process */
    } else if (strcmp(argv[2], "watch") == 0) {
        watch(argc > 3 ? atoi(argv[3]) : 0);
    } else if (strcmp(argv[2], "die") == 0 && argc > 3) {
        die(argv[3], argc > 4 ? argv[4] : "kill", argc > 5 ? atoi(argv[5]) : 3000);
    } else {
        return 2;
    }
    return check_result();
}
