/* run: oshrun -n 4 ./overloads */
/* In C++ the generic names are overloads, so they fit into templates. */
#include <shmem.h>

#include <cstdint>
#include <iostream>
#include <vector>

/* An array of T in symmetric memory, of the same length on every PE. */
template <typename T> class Symmetric {
  public:
    explicit Symmetric(std::size_t n) : data_(static_cast<T *>(shmem_calloc(n, sizeof(T)))) {}
    ~Symmetric() { shmem_free(data_); }
    Symmetric(const Symmetric &) = delete;
    Symmetric &operator=(const Symmetric &) = delete;
    T *data() { return data_; }
    T &operator[](std::size_t i) { return data_[i]; }

  private:
    T *data_;
};

template <typename T> bool ring_and_sum(T scale)
{
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    std::vector<T> source{T(me + 1), T((me + 1) * scale)};
    Symmetric<T> from_left(2), sum(2);
    shmem_put(from_left.data(), source.data(), source.size(), right);
    shmem_barrier_all();
    shmem_sum_reduce(SHMEM_TEAM_WORLD, sum.data(), from_left.data(), 2);
    shmem_sync_all(); // my right neighbour has its sum, too
    T total = T(n * (n + 1) / 2);
    return from_left[0] == T(left + 1) && from_left[1] == T((left + 1) * scale) && sum[0] == total &&
           sum[1] == T(total * scale) && shmem_g(&sum[0], right) == total;
}

static long counter;

int main()
{
    shmem_init();
    bool ok = ring_and_sum<int>(3) && ring_and_sum<double>(0.5) && ring_and_sum<std::int64_t>(1L << 40);
    shmem_atomic_add(&counter, 2L, 0);
    shmem_barrier_all();
    ok = ok && shmem_atomic_fetch(&counter, 0) == 2L * shmem_n_pes();
    std::cout << "PE " << shmem_my_pe() << (ok ? ": right" : ": WRONG") << std::endl;
    shmem_finalize();
    return !ok;
}
