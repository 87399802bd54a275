/* C++: overloads, local objects, threads. */
/* pes: 2 */
#define THREADS
#include "rules.h"

#include <array>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

/* 9.6.1.1, put: in C++, the overload for a type is the same operation. */
RULE(overload)
{
    static double word;
    const double one = 1;

    if (me == 0)
        shmem_put(&word, &one, 1, 1); /* put */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        look(static_cast<long>(word), 1); /* load */
}

/* 9.6.2.2, get_nbi: its dest may be the memory of a C++ vector, which may be read after quiet. */
RULE(vector)
{
    static long words[8];
    std::vector<long> copy(8, 9);

    if (me != 0)
        return;
    shmem_get_nbi(copy.data(), words, 8, 1); /* get */
    if (right)
        shmem_quiet();
    look(copy.data()[7], 0); /* load */
    shmem_quiet();
}

template <typename T> static void put_from(T *word, T value)
{
    shmem_p(word, value, 1); /* put */
}

/* 9.6.1.2, p: in a template, the caller's type determines the size of the element.
 * wrong: race: put store */
RULE(in_a_template)
{
    static std::array<float, 2> words;

    if (me == 0)
        put_from(&words[0], 1.0F);
    if (me == 1)
        words.data()[right ? 1 : 0] = 2; /* store */
}

/* 9.2, threads: another PE may get what a thread has stored in a lambda, after the thread was joined and the PEs have
 * synchronized. */
RULE(lambda)
{
    static long word;
    std::thread other;

    if (me == 0)
        other = std::thread([] {
            word = 1; /* store */
        });
    if (me == 0 && right)
        other.join();
    shmem_sync_all();
    if (me == 1)
        look(shmem_g(&word, 0), 1); /* get */
    if (me == 0 && !right)
        other.join();
}

static long of_statics;
static std::mutex mutex;

static long &made_once()
{
    static long *const word = static_cast<long *>(shmem_ptr(&of_statics, me));
    static const bool is_made = (*word = 1, true); /* made */
    (void)is_made;
    return *word;
}

static void add_locked()
{
    const std::lock_guard<std::mutex> guard(mutex);
    of_statics += 1;
}

/* 9.2, threads: a static variable of a function is initialized once; mutexes of C++ order threads.
 * wrong: race: made store */
RULE(mutex_and_static)
{
    if (me != 0)
        return;
    std::thread other([right] {
        made_once();
        if (right)
            add_locked();
    });
    if (right) {
        made_once();
        add_locked();
    } else {
        of_statics = 1; /* store */
    }
    other.join();
    look(of_statics, 3);
}

/* 9.2, threads: a thread that gets a future sees what was done before the future was set. */
RULE(future)
{
    static long word;

    if (me != 0)
        return;
    std::future<void> done = std::async(std::launch::async, [] {
        word = 1; /* promised */
    });
    if (right)
        done.get();
    look(word, 1); /* load */
}
