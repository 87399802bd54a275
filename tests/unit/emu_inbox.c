/* sources: src/net/emu/inbox.c */
/* The emulated network's inboxes: many senders and a receiver, order, bounds, and senders that are killed. */
#include "../../src/net/emu/inbox.h"
#include "../check.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1000, SENDERS = 4, MESSAGES = 4000 };

static struct inbox *in;

static void new_inbox(void)
{
    if (in)
        munmap(in, inbox_bytes(MOST));
    in = mmap(NULL, inbox_bytes(MOST), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (in == MAP_FAILED)
        exit(2);
}

static unsigned char byte_of(int from, uint64_t number, size_t i)
{
    return (unsigned char)(0x80 + (size_t)from * 37 + number * 11 + i * 3);
}

static bool send(int from, uint64_t number, unsigned capacity)
{
    unsigned char data[MOST];
    const size_t bytes = number * 7 % (MOST + 1);
    for (size_t i = 0; i < bytes; i++)
        data[i] = byte_of(from, number, i);
    return inbox_put(in, MOST, capacity, &(struct inbox_message){.from = from, .to_life = 7, .bytes = (uint32_t)bytes,
                                                                 .number = number, .data = data});
}

/* Removes the first message, if there is one; it must be complete. */
static enum inbox_state receive(struct inbox_message *m, int *claimant)
{
    const enum inbox_state state = inbox_first(in, MOST, m, claimant);
    if (state != INBOX_FULL)
        return state;
    const unsigned char *data = m->data;
    CHECK(m->to_life == 7 && m->bytes == m->number * 7 % (MOST + 1), "message %lu of %d has %u bytes", m->number,
          m->from, m->bytes);
    for (size_t i = 0; i < m->bytes; i++)
        if (data[i] != byte_of(m->from, m->number, i)) {
            CHECK(false, "byte %zu of message %lu of %d is %#x", i, m->number, m->from, data[i]);
            break;
        }
    inbox_drop(in, MOST);
    return state;
}

static void test_bounds(void)
{
    for (unsigned capacity = 1; capacity <= INBOX_SLOTS; capacity++) {
        new_inbox();
        struct inbox_message m;
        int claimant;
        uint64_t sent = 0, came = 0;
        CHECK(receive(&m, &claimant) == INBOX_EMPTY, "an empty inbox has a message");
        for (int round = 0; round < 100; round++) {
            while (send(3, sent, capacity))
                sent++;
            CHECK(sent - came == capacity, "%lu messages in an inbox for %u", sent - came, capacity);
            for (unsigned k = 0; k <= (unsigned)round % capacity; k++) {
                CHECK(receive(&m, &claimant) == INBOX_FULL && m.number == came, "message %lu has not arrived", came);
                came++;
            }
        }
    }
}

/* The state after a sender was killed while it had claimed a slot: other senders' messages are in later slots. */
static void test_claimed(void)
{
    struct inbox_message m;
    int claimant = -1;
    for (uint64_t before = 0; before < 2 * INBOX_SLOTS; before++) {
        new_inbox();
        for (uint64_t i = 0; i < before; i++)
            CHECK(send(1, i, INBOX_SLOTS) && receive(&m, &claimant) == INBOX_FULL, "message %lu was not taken", i);
        char *const slot = (char *)(in + 1) + before % INBOX_SLOTS * inbox_slot_bytes(MOST);
        *(_Atomic uint64_t *)(void *)slot |= 1u << 20 | 5; /* its word: claimed by 5 */
        CHECK(send(1, before, INBOX_SLOTS), "a claimed slot stops other senders");
        CHECK(receive(&m, &claimant) == INBOX_BUSY && claimant == 5, "the claimant is %d, not 5", claimant);
        inbox_drop(in, MOST);
        CHECK(receive(&m, &claimant) == INBOX_FULL && m.from == 1 && m.number == before,
              "the message behind the claimed slot has not arrived");
        CHECK(receive(&m, &claimant) == INBOX_EMPTY, "a message is left");
        for (uint64_t i = 0; i < INBOX_SLOTS; i++)
            CHECK(send(1, i, INBOX_SLOTS), "there is no free slot for message %lu", i);
        CHECK(!send(1, 0, INBOX_SLOTS), "more messages fit than there are slots");
    }
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL); /* late on purpose */
}

/* Each sender's messages arrive in order and once; the messages of a killed sender arrive up to some point. */
static void test_senders(unsigned capacity, bool kill_one)
{
    new_inbox();
    pid_t pid[SENDERS];
    uint64_t next[SENDERS] = {0};
    for (int from = 0; from < SENDERS; from++)
        if (!(pid[from] = fork())) {
            for (uint64_t i = 0; i < MESSAGES; i++)
                while (!send(from, i, capacity))
                    nap();
            _exit(0);
        }
    uint64_t came = 0;
    bool alive[SENDERS];
    memset(alive, true, sizeof alive);
    for (int left = SENDERS, idle = 0; left || idle < 2;) {
        struct inbox_message m;
        int claimant;
        const enum inbox_state state = receive(&m, &claimant);
        idle = state == INBOX_EMPTY ? idle + 1 : 0;
        if (state == INBOX_FULL) {
            CHECK(m.number == next[m.from], "message %lu of %d, not %lu", m.number, m.from, next[m.from]);
            next[m.from] = m.number + 1;
            if (++came == 1000 && kill_one)
                kill(pid[2], SIGKILL);
            continue;
        }
        if (state == INBOX_BUSY && !alive[claimant])
            inbox_drop(in, MOST);
        for (int from = 0; from < SENDERS; from++)
            if (alive[from] && waitpid(pid[from], NULL, WNOHANG) == pid[from]) {
                alive[from] = false;
                left--;
                idle = 0;
            }
    }
    for (int from = 0; from < SENDERS; from++)
        CHECK(next[from] == MESSAGES || (kill_one && from == 2), "%lu messages of %d came", next[from], from);
}

int main(void)
{
    test_bounds();
    test_claimed();
    test_senders(INBOX_SLOTS, false);
    test_senders(2, false);
    for (int i = 0; i < 8; i++)
        test_senders(1 + (unsigned)i % INBOX_SLOTS, true);
    return check_result();
}
