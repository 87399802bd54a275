/* A job that spans nodes: the command line of its launcher.
 *
 * oshrun translates its options, and the PEs exchange their addresses by PMIx. PEs are placed in blocks: the PEs of a
 * host have consecutive numbers and share memory. */
#include "target.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_LIST = 100000 }; /* Linux limits an argument to 128 KiB */

__attribute__((format(printf, 2, 0))) static void add_owned(struct command *c, const char *fmt, char *text)
{
    command_add(c, fmt, text);
    free(text);
}

static void quote(FILE *out, const char *word)
{
    if (*word &&
        word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%")] == '\0') {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
}

static void print_quoted(FILE *out, char *const *list)
{
    for (int i = 0; list[i]; i++) {
        if (i > 0)
            putc(' ', out);
        quote(out, list[i]);
    }
}

/* --- where the PEs go --------------------------------------------------------------------------------------------- */

static void place(const struct options *opt, struct target *t)
{
    if (opt->nodes && strchr(opt->nodes, '+'))
        die(EXIT_USAGE, "--nodes %s: %s places equal numbers of %ss; --hosts a:3,b:1 gives different numbers",
            opt->nodes, t->program, words.unit);
    t->n_nodes = opt->nodes ? atoi(opt->nodes) : opt->per_node ? (opt->n_pes + opt->per_node - 1) / opt->per_node : 0;
    if (opt->hosts) {
        hosts_read(&t->hosts, opt->hosts);
        hosts_share(&t->hosts, opt->n_pes, t->n_nodes);
        t->n_nodes = t->hosts.n;
        t->most = t->hosts.host[0].n_pes;
        for (int i = 1; i < t->n_nodes; i++)
            if (t->hosts.host[i].n_pes > t->most || (i < t->n_nodes - 1 && t->hosts.host[i].n_pes < t->most))
                t->most = 0; /* the hosts have different numbers of PEs */
        return;
    }
    if (!t->n_nodes && t->kind == LAUNCHER_SRUN)
        t->n_nodes = slurm_nodes();
    if (t->n_nodes) {
        t->most = opt->per_node ? opt->per_node : (opt->n_pes + t->n_nodes - 1) / t->n_nodes;
        t->n_nodes = (opt->n_pes + t->most - 1) / t->most;
    }
}

/* "a:2,b:2" with counts; "a,a,b,b" with each_pe; otherwise "a,b". */
static char *host_list(const struct hosts *h, bool counts, bool each_pe)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        no_memory();
    for (int i = 0; i < h->n; i++)
        for (int k = 0; k < (each_pe ? h->host[i].n_pes : 1); k++) {
            fprintf(out, "%s%s", i + k ? "," : "", h->host[i].name);
            if (counts)
                fprintf(out, ":%d", h->host[i].n_pes);
        }
    fclose(out);
    return text;
}

/* --- what the processes are --------------------------------------------------------------------------------------- */

static void add_env_and_program(struct command *c, const struct app *app)
{
    if (app->n_env)
        command_add(c, "env");
    for (int i = 0; i < app->n_env; i++)
        command_add(c, "%s", app->env[i]);
    for (int i = 0; app->argv[i]; i++)
        command_add(c, "%s", app->argv[i]);
}

static char *folder_of(const struct app *app)
{
    char here[PATH_MAX] = "";
    if (!(app->wdir && app->wdir[0] == '/') && !getcwd(here, sizeof here))
        die(EXIT_JOB, "the working directory has no name: %s", strerror(errno));
    const bool both = here[0] && app->wdir;
    return text_of("%s%s%s", here, both ? "/" : "", app->wdir ? app->wdir : "");
}

/* Starts several programs by a shell that chooses one. Slurm itself would need a file, or several job steps. */
static void add_choice_of_programs(struct command *c, const struct options *opt)
{
    char *script = NULL;
    size_t bytes;
    FILE *out = open_memstream(&script, &bytes);
    if (!out)
        no_memory();
    for (int a = 0, end = 0; a < opt->n_apps; a++) {
        struct command inner = {0};
        end += opt->apps[a].n_pes;
        add_env_and_program(&inner, &opt->apps[a]);
        fprintf(out, "[ $SLURM_PROCID -ge %d ] || { cd ", end);
        char *folder = folder_of(&opt->apps[a]);
        quote(out, folder);
        free(folder);
        fprintf(out, " && exec ");
        print_quoted(out, inner.words);
        fprintf(out, "; exit 1; }\n");
        command_free(&inner);
    }
    fclose(out);
    command_add_words(c, "sh", "-c", NULL);
    add_owned(c, "%s", script);
}

/* --- the command lines -------------------------------------------------------------------------------------------- */

/* Whether each node of the allocation has at least n_cpus CPUs. Slurm gives them as "8(x3)" or "5,1(x2)". */
static bool slurm_has_room(long n_cpus)
{
    const char *cpus = environment("SLURM_JOB_CPUS_PER_NODE");
    return cpus && !strchr(cpus, ',') && atoi(cpus) >= n_cpus;
}

/* Repeats the allocation's --cpus-per-task, which srun ignores from version 22.05 on, unless a node would
 * then have too few CPUs for its PEs. */
static void add_cpus_per_task(struct command *c, const struct target *t)
{
    const char *own = environment("SRUN_CPUS_PER_TASK"), *job = environment("SLURM_CPUS_PER_TASK");
    const int cpus = job && !own ? atoi(job) : 0;
    if (cpus > 0 && t->most && slurm_has_room((long)t->most * cpus))
        command_add(c, "--cpus-per-task=%d", cpus);
}

/* Slurm sorts hosts by its own rules, except in a list that names a host for each PE. */
static void add_srun_placement(struct command *c, const struct options *opt, const struct target *t)
{
    const bool equal = t->most && opt->n_pes % t->most == 0;
    command_add(c, "--ntasks=%d", opt->n_pes);
    if (t->hosts.n) {
        char *list = host_list(&t->hosts, false, true);
        if (strlen(list) <= LONGEST_LIST) {
            command_add(c, "--distribution=arbitrary");
            add_owned(c, "--nodelist=%s", list);
            return; /* omits --nodes, which the list implies: from version 24.11 on, srun rejects both together */
        }
        free(list);
        if (!t->most)
            die(EXIT_USAGE, "--hosts: so many %ss cannot be listed for srun one by one; give each host the same count",
                words.unit);
        add_owned(c, "--nodelist=%s", host_list(&t->hosts, false, false));
    }
    if (t->n_nodes)
        command_add(c, "--nodes=%d", t->n_nodes);
    if (equal)
        command_add(c, "--ntasks-per-node=%d", t->most);
    /* "block" balances the PEs (7 PEs on 3 nodes as 3, 2, 2); "plane" returns to the first node if a node is full. */
    if (t->most && !equal && slurm_has_room(t->most))
        command_add(c, "--distribution=plane=%d", t->most);
    else
        command_add(c, "--distribution=block");
}

static void srun_command(struct command *c, const struct options *opt, const struct target *t)
{
    static const char *const bindings[] = {[BIND_CORE] = "cores", [BIND_NUMA] = "ldoms", [BIND_NONE] = "none"};
    const char *bind = bindings[opt->bind]; /* NULL: the cluster's default */
    command_add_words(c, "srun", "--mpi=pmix", "--export=ALL", NULL);
    add_srun_placement(c, opt, t);
    add_cpus_per_task(c, t);
    command_add_words(c, "--input=0", "--wait=0", "--quit-on-interrupt", NULL);
    command_add(c, "--kill-on-bad-exit=%d", opt->outlive ? 0 : 1);
    if (opt->outlive)
        command_add(c, "--no-kill");
    if (opt->tag)
        command_add(c, "--label");
    if (bind || opt->verbose)
        command_add(c, "--cpu-bind=%s%s%s", opt->verbose ? "verbose" : "", bind && opt->verbose ? "," : "",
                    bind ? bind : "");
    if (opt->n_apps > 1) {
        add_choice_of_programs(c, opt);
        return;
    }
    add_owned(c, "--chdir=%s", folder_of(&opt->apps[0]));
    add_env_and_program(c, &opt->apps[0]);
}

static bool is_set_by(const struct app *app, const char *variable, size_t length)
{
    for (int i = 0; i < app->n_env; i++)
        if (strncmp(app->env[i], variable, length + 1) == 0)
            return true;
    return false;
}

/* Variables that our programs read, and that mpirun does not set on other hosts. */
static void add_environment(struct command *c, const struct app *app)
{
    static const char *const ours[] = {"SHMEM_", "SMA_", "SHCOLL_", "UCX_",
                                       "FI_", "COPAL_", "OMP_", "GFORTRAN_", "LD_LIBRARY_PATH="};
    for (char **variable = environ; *variable; variable++) {
        const size_t length = strcspn(*variable, "=");
        bool carried = false;
        for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
            carried |= strncmp(*variable, ours[i], strlen(ours[i])) == 0;
        if (carried && !is_set_by(app, *variable, length)) {
            command_add(c, "-x");
            command_add(c, "%.*s", (int)length, *variable);
        }
    }
    for (int i = 0; i < app->n_env; i++)
        command_add_words(c, "-x", app->env[i], NULL);
}

/* An option and its value for prterun, or the older mpirun's option. */
static void add_either(struct command *c, bool prrte, const char *option, const char *value, const char *older)
{
    command_add_words(c, prrte ? option : older, prrte ? value : NULL, NULL);
}

static void mpirun_command(struct command *c, const struct options *opt, const struct target *t)
{
    /* mpirun has no option for an equal share of the cores. A NUMA node has enough cores for a PE's threads. */
    static const char *const bindings[] = {[BIND_SHARE] = "numa", [BIND_CORE] = "core", [BIND_NUMA] = "numa"};
    command_add(c, "%s", t->program);
    if (t->hosts.n) {
        command_add(c, "--host");
        add_owned(c, "%s", host_list(&t->hosts, true, false));
    }
    command_add(c, "--map-by");
    if (!t->hosts.n && t->most)
        command_add(c, "ppr:%d:node:OVERSUBSCRIBE", t->most);
    else
        command_add(c, t->hosts.n ? "slot" : "slot:OVERSUBSCRIBE");
    command_add(c, "--bind-to");
    if (opt->bind == BIND_NONE)
        command_add(c, "none");
    else
        command_add(c, "%s:overload-allowed%cif-supported", bindings[opt->bind], t->prrte ? ':' : ',');
    if (opt->tag)
        add_either(c, t->prrte, "--output", "tag", "--tag-output");
    if (opt->verbose)
        add_either(c, t->prrte, "--display", "map", "--display-map");
    if (opt->outlive)
        add_either(c, t->prrte, "--runtime-options", "recoverable,continuous", "--enable-recovery");
    for (int a = 0; a < opt->n_apps; a++) {
        const struct app *app = &opt->apps[a];
        if (a > 0)
            command_add(c, ":");
        command_add(c, "-n");
        command_add(c, "%d", app->n_pes);
        command_add(c, "--wdir");
        add_owned(c, "%s", folder_of(app));
        add_environment(c, app);
        for (int i = 0; app->argv[i]; i++)
            command_add(c, "%s", app->argv[i]);
    }
}

/* --- handing over ------------------------------------------------------------------------------------------------- */

static void say_target(const struct options *opt, const struct target *t)
{
    char where[160] = "";
    const char *s = t->n_nodes == 1 ? "" : "s";
    if (t->hosts.n)
        snprintf(where, sizeof where, " on %d host%s", t->n_nodes, s);
    else if (t->n_nodes)
        snprintf(where, sizeof where, " on %d node%s", t->n_nodes, s);
    if (t->kind == LAUNCHER_SRUN && environment("SLURM_JOB_ID"))
        snprintf(where + strlen(where), sizeof where - strlen(where), " of Slurm job %s", environment("SLURM_JOB_ID"));
    say("%s over to %s%s: %d %s%s%s", opt->dry_run ? "would hand" : "handing", t->program, t->version, opt->n_pes,
        words.unit, opt->n_pes == 1 ? "" : "s", where);
}

void hand_over(const struct options *opt)
{
    if (!launcher_wanted(opt)) {
        if (opt->per_node && opt->per_node < opt->n_pes && !opt->nodes)
            die(EXIT_USAGE, "%d %ss on each node are requested, but this machine would have %d; name more "
                "hosts by --hosts, or leave the number out", opt->per_node, words.unit, opt->n_pes);
        if (!opt->dry_run)
            return;
        printf("%s itself starts %d %s%s on this machine\n", words.tool, opt->n_pes, words.unit,
               opt->n_pes == 1 ? "" : "s");
        exit(0);
    }
    if (opt->fabric)
        die(EXIT_USAGE, "--fabric %s: a network is emulated on one machine only, and this job is handed over to a "
            "launcher; leave --fabric out, or use --local without --hosts", opt->fabric);
    if (opt->debug)
        die(EXIT_USAGE, "--debug: debuggers are started on one machine only, and this job is handed over to a "
            "launcher; leave --debug out and use the launcher's own, or use --local");
    if (opt->watch > 0)
        die(EXIT_USAGE, "--watch: waits of %ss can be reported on one machine only, and this job is handed over to a "
            "launcher; leave --watch out, or use --local", words.unit);
    if (opt->races)
        die(EXIT_USAGE, "--races: supports jobs of one node only, and this job is handed over to a launcher; leave it "
            "out, or use --local");
    if (opt->timeout > 0 && !launcher_on_path("timeout"))
        die(EXIT_JOB, "--timeout: a job that is handed over needs the command timeout of GNU coreutils");
    struct target t = {0};
    launcher_find(opt, &t);
    place(opt, &t);
    unsetenv(settings[SETTING_COPAL_JOB].name);
    unsetenv(settings[SETTING_SHMEM_NODES].name); /* it is for nodes emulated on one machine */
    if (opt->outlive)
        set_for_pes(opt, settings[SETTING_COPAL_OUTLIVE].name, "1", '\0');
    if (!opt->dry_run)
        profile_begin(opt);
    struct command c = {0};
    if (opt->timeout > 0) {
        command_add_words(&c, "timeout", "--foreground", "--kill-after=10", NULL);
        command_add(&c, "%g", opt->timeout);
    }
    if (t.kind == LAUNCHER_SRUN)
        srun_command(&c, opt, &t);
    else
        mpirun_command(&c, opt, &t);
    say_target(opt, &t);
    if (opt->dry_run) {
        print_quoted(stdout, c.words);
        printf("\n");
        exit(0);
    }
    profile_say_later();
    execvp(c.words[0], c.words);
    die(EXIT_JOB, "%s cannot be run: %s", c.words[0], strerror(errno));
}
