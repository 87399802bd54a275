/* sources: src/job/cgroup.c */
/* Limits of control groups, as they are written by both versions, in the group itself and above it, on the host and in
 * a container. */
#include "../check.h"
#include "job/cgroup.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[] = "/tmp/cgroup-XXXXXX";

static const char *path(const char *name)
{
    static char text[PATH_MAX];
    snprintf(text, sizeof text, "%s/%s", top, name);
    return text;
}

static void write_file(const char *name, const char *content)
{
    FILE *f = fopen(path(name), "w");
    if (!f || fputs(content, f) < 0 || fclose(f) != 0)
        exit(99);
}

static void expect(const char *list, size_t limit, long kills)
{
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s", path("list"));
    write_file("list", list);
    const struct cgroup group = cgroup_find(file, top, "memory");
    CHECK(cgroup_limit(&group) == limit, "%s: limit %zu, not %zu", list, cgroup_limit(&group), limit);
    if (kills >= 0)
        CHECK(cgroup_oom_kills(&group) == kills, "%s: %ld kills, not %ld", list, cgroup_oom_kills(&group), kills);
}

static void expect_left(const char *list, long left)
{
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s", path("list"));
    write_file("list", list);
    const struct cgroup group = cgroup_find(file, top, "pids");
    CHECK(cgroup_processes_left(&group) == left, "%s: %ld left, not %ld", list, cgroup_processes_left(&group), left);
}

static void processes(void)
{
    expect_left("0::/batch/job\n", LONG_MAX);
    write_file("batch/job/pids.max", "max\n");
    write_file("batch/job/pids.current", "30\n");
    expect_left("0::/batch/job\n", LONG_MAX);
    write_file("batch/pids.max", "100\n");
    write_file("batch/pids.current", "40\n");
    expect_left("0::/batch/job\n", 60);
    write_file("batch/job/pids.max", "50\n");
    expect_left("0::/batch/job\n", 20);
    write_file("batch/job/pids.current", "51\n");
    expect_left("0::/batch/job\n", 0);
    write_file("pids/old/pids.max", "8\n");
    write_file("pids/old/pids.current", "5\n");
    expect_left("5:memory:/batch/job\n4:pids:/old\n0::/batch/job\n", 3);
    expect_left("", LONG_MAX);
}

static void expect_quota(const char *list, int quota)
{
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s", path("list"));
    write_file("list", list);
    const struct cgroup group = cgroup_find(file, top, "cpu");
    CHECK(cgroup_quota(&group) == quota, "%s: %d processors, not %d", list, cgroup_quota(&group), quota);
}

static void processors(void)
{
    expect_quota("0::/batch/job\n", INT_MAX);
    write_file("batch/job/cpu.max", "max 100000\n");
    expect_quota("0::/batch/job\n", INT_MAX);
    write_file("batch/cpu.max", "350000 100000\n");
    expect_quota("0::/batch/job\n", 4);
    write_file("batch/job/cpu.max", "20000 10000\n");
    expect_quota("0::/batch/job\n", 2);
    write_file("batch/job/cpu.max", "100 10000\n");
    expect_quota("0::/batch/job\n", 1);
    write_file("cpu.max", "300000 100000\n");
    expect_quota("0::/elsewhere/on/the/host\n", 3);
    write_file("cpu/cpu.cfs_quota_us", "-1\n");
    write_file("cpu/cpu.cfs_period_us", "100000\n");
    write_file("cpu/old/cpu.cfs_quota_us", "150000\n");
    write_file("cpu/old/cpu.cfs_period_us", "100000\n");
    expect_quota("5:memory:/batch/job\n4:cpuacct,cpu:/old\n0::/batch/job\n", 2);
    expect_quota("4:cpu:/\n", INT_MAX);
    expect_quota("4:cpuset:/old\n", INT_MAX);
    expect_quota("", INT_MAX);
    CHECK(cgroup_processors(1) == 1 && cgroup_processors(2) >= 1 && cgroup_processors(2) <= 2, "of 2 processors %d",
          cgroup_processors(2));
}

static uint64_t scheduling(const char *list, const char *is_on, const char *autogroup)
{
    char file[PATH_MAX], on[PATH_MAX], number[PATH_MAX];
    snprintf(file, sizeof file, "%s", path("list"));
    snprintf(on, sizeof on, "%s", path("on"));
    snprintf(number, sizeof number, "%s", path("autogroup"));
    write_file("list", list);
    write_file("on", is_on);
    write_file("autogroup", autogroup);
    const struct cgroup group = cgroup_find(file, top, "cpu");
    return cgroup_scheduling(&group, on, number);
}

static void schedulers(void)
{
    const char *job = "0::/batch/job\n", *first = "/autogroup-21 nice 0\n";
    CHECK(scheduling(job, "1\n", first) == 21, "the session's group does not count, although there is no other");
    CHECK(scheduling(job, "0\n", first) == 0, "the session's group counts, although autogroup is off");
    CHECK(scheduling(job, "1\n", "") == 0, "a group counts, although the kernel has no autogroup");
    write_file("batch/cpu.weight", "100\n");
    const uint64_t batch = scheduling(job, "1\n", first);
    CHECK(batch > 22 && batch == scheduling("0::/batch\n", "1\n", "/autogroup-22 nice 0\n"),
          "the control group does not count");
    write_file("batch/job/cpu.weight", "100\n");
    CHECK(batch != scheduling(job, "1\n", first), "the innermost group that divides processors does not count");
}

int main(void)
{
    static const char *const folders[] = {"batch", "batch/job", "memory", "memory/old", "memory/old/job", "pids",
                                          "pids/old", "cpu", "cpu/old"};
    if (!mkdtemp(top))
        return 99;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        mkdir(path(folders[i]), 0700);

    write_file("batch/memory.max", "3000\n");
    write_file("batch/job/memory.max", "max\n");
    write_file("batch/job/memory.events", "low 0\nhigh 0\nmax 7\noom 5\noom_kill 2\noom_group_kill 0\n");
    expect("0::/batch/job\n", 3000, 2);
    write_file("batch/job/memory.max", "2000\n");
    expect("0::/batch/job\n", 2000, 2);
    expect("0::/\n", SIZE_MAX, -1);
    expect("0::/elsewhere/on/the/host\n", SIZE_MAX, -1);
    write_file("memory.max", "1000\n"); /* in a container, the container's group is the outermost visible group */
    expect("0::/elsewhere/on/the/host\n", 1000, -1);
    expect("0::/batch/job\n", 1000, 2);

    write_file("memory/memory.limit_in_bytes", "9223372036854771712\n");
    write_file("memory/old/memory.limit_in_bytes", "500\n");
    write_file("memory/old/job/memory.limit_in_bytes", "9223372036854771712\n");
    write_file("memory/old/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
    expect("5:cpu,cpuacct:/\n4:memory:/old/job\n0::/batch/job\n", 500, 4);
    expect("0::/batch/job\n5:cpu,memory:/old/job\n", 500, 4);
    expect("5:memorycontroller:/old/job\n4:name=memory:/old/job\n1:cpu:/old\n", SIZE_MAX, -1);
    expect("4:memory:/\n", SIZE_MAX, -1);
    expect("", SIZE_MAX, -1);

    processes();
    processors();
    schedulers();

    char remove[PATH_MAX + 20];
    snprintf(remove, sizeof remove, "rm -r %s", top);
    CHECK(system(remove) == 0, "%s", remove);
    return check_result();
}
