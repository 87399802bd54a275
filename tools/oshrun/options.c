/* The command line: oshrun -n N [options] program [args] [: -n M [options] program [args]] ... */
#include "oshrun.h"

#include "shmem/version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct words words_of_cafrun = {.tool = "cafrun", .unit = "image", .job = "a coarray program", .first = 1,
                                             .waiting = "wait for others", .idle = "waits for no other image",
                                             .finalized = "has stopped", .unfinalized = " without normal termination",
                                             .no_member = "and is no coarray program (compile it by caf)"};

enum option_id {
    OPT_N,
    OPT_WDIR,
    OPT_ENV,
    OPT_BIND,
    OPT_TAG,
    OPT_OUTLIVE,
    OPT_HOSTS,
    OPT_LAUNCHER,
    OPT_LOCAL,
    OPT_NODES,
    OPT_FABRIC,
    OPT_PROFILE,
    OPT_TRACE,
    OPT_DRY_RUN,
    OPT_RACES,
    OPT_SUPPRESS,
    OPT_WATCH,
    OPT_TIMEOUT,
    OPT_DEBUG,
    OPT_ATTACH,
    OPT_VERBOSE,
    OPT_HELP,
    OPT_VERSION,
    /* options of other launchers */
    OPT_HOST_FILE,
    OPT_PER_NODE,
    OPT_ENV_OF_ALL,
    OPT_AS_EVER,
    OPT_IGNORED,
    OPT_COMPONENT,
    OPT_HWTHREADS,
    OPT_REFUSED,
    OPT_REFUSED_COUNT,
};

/* Every option may have one dash or two; its value is the next argument, or follows "=". If the option's text begins
 * with "=", the value is optional and must follow "=". Options without a help text are those of other launchers;
 * OPT_AS_EVER requests the default behaviour. */
static const struct option {
    enum option_id id;
    const char *name, *other_name, *value, *help;
} options[] = {
    {OPT_N, "n", "np", "N", "start N PEs of this executable"},
    {OPT_WDIR, "wdir", NULL, "DIR", "start them in directory DIR"},
    {OPT_ENV, "x", "env", "NAME=VALUE", "set an environment variable for them; NAME alone must be set already"},
    {OPT_BIND, "bind", NULL, "core|numa|none", "give each PE one core, one NUMA node, or no binding\n"
                                               "(default: an equal share of the cores, if each gets one)"},
    {OPT_TAG, "tag", NULL, NULL, "begin each line of output with its PE, as \"[3] \""},
    {OPT_OUTLIVE, "outlive", NULL, NULL, "let the other PEs go on when a PE dies; shmemx.h reports the death\n"
                                         "(cafrun always does)"},
    {OPT_WATCH, "watch", NULL, "SECONDS", "print what each PE waits for when a PE has waited this long, repeatedly"},
    {OPT_TIMEOUT, "timeout", NULL, "SECONDS", "print the same after this time, and end the job with exit code 124"},
    {OPT_DEBUG, "debug", NULL, "=N,...", "start gdb on these PEs or =all (default: the first) before they begin:\n"
                                         "one gdb uses the terminal, several use panes of tmux or xterm windows"},
    {OPT_ATTACH, "attach", NULL, "JOB", "start gdb on the first PE, or those of --debug, of a running job; JOB is\n"
                                        "the process number of its launcher; without JOB, list the jobs"},
    {OPT_RACES, "races", NULL, "=log", "find unordered accesses, and end with exit code 66 if there are any;\n"
                                         "=log only reports them (programs: oshcc --races, caf --races)"},
    {OPT_SUPPRESS, "races-suppress", NULL, "FILE", "do not report races in functions, files or files:lines of FILE"},
    {OPT_HOSTS, "hosts", NULL, "A,B:4|@FILE", "start them on these hosts, by a launcher that is installed"},
    {OPT_LAUNCHER, "launcher", NULL, "NAME", "hand over to srun, prterun or mpirun; none: never\n"
                                             "(default: in a Slurm job of several nodes to srun)"},
    {OPT_LOCAL, "local", NULL, NULL, "start them on this machine in any case: --launcher none"},
    {OPT_NODES, "nodes", NULL, "K|3+1", "on this number of nodes; without a launcher, split this machine into them"},
    {OPT_FABRIC, "fabric", NULL, "NAME|FILE", "emulate this network between the nodes of --nodes, on this machine"},
    {OPT_PROFILE, "profile", NULL, "=FOLDER", "print where the time goes, and write a page to FOLDER"},
    {OPT_TRACE, "trace", NULL, "=FOLDER", "the same, and write a trace of single calls there"},
    {OPT_DRY_RUN, "dry-run", NULL, NULL, "print the command line of the launcher, and end"},
    {OPT_VERBOSE, "v", "verbose", NULL, "print where each PE is started"},
    {OPT_HELP, "help", "h", NULL, "print this and end"},
    {OPT_VERSION, "version", "V", NULL, "print the version and end"},
    {OPT_HOSTS, "host", "H", "A,B:4", NULL},
    {OPT_HOST_FILE, "hostfile", "machinefile", "FILE", NULL},
    {OPT_HOST_FILE, "f", "default-hostfile", "FILE", NULL},
    {OPT_BIND, "bind-to", NULL, "core|numa|none", NULL},
    {OPT_TAG, "tag-output", "prepend-rank", NULL, NULL},
    {OPT_TAG, "label", "l", NULL, NULL},
    {OPT_PER_NODE, "ppn", "perhost", "K", NULL},
    {OPT_PER_NODE, "npernode", "ntasks-per-node", "K", NULL},
    {OPT_N, "ntasks", NULL, "N", NULL},
    {OPT_ENV_OF_ALL, "genv", NULL, "NAME VALUE", NULL},
    {OPT_AS_EVER, "genvall", "oversubscribe", NULL, NULL},
    {OPT_AS_EVER, "allow-run-as-root", NULL, NULL, NULL},
    {OPT_IGNORED, "map-by", "rank-by", "HOW", NULL},
    {OPT_COMPONENT, "mca", "gmca", "NAME VALUE", NULL},
    {OPT_COMPONENT, "prtemca", "pmixmca", "NAME VALUE", NULL},
    {OPT_WDIR, "wd", "chdir", "DIR", NULL},
    {OPT_VERBOSE, "report-bindings", NULL, NULL, NULL},
    {OPT_VERBOSE, "display-map", "display-allocation", NULL, NULL},
    {OPT_AS_EVER, "q", "quiet", NULL, NULL},
    {OPT_HWTHREADS, "use-hwthread-cpus", NULL, NULL, NULL},
    {OPT_REFUSED, "N", NULL, NULL, NULL},
    {OPT_REFUSED_COUNT, "c", NULL, NULL, NULL},
};
#define N_OPTIONS (sizeof options / sizeof options[0])

/* Prints the first length characters of text, with the word image instead of PE under the name cafrun. */
static void print_in_words(const char *text, int length)
{
    for (const char *end = text + length, *pe; text < end; text = pe + 2) {
        pe = memmem(text, (size_t)(end - text), "PE", 2);
        if (!pe) {
            fwrite(text, 1, (size_t)(end - text), stdout);
            return;
        }
        printf("%.*s%s", (int)(pe - text), text, words.unit);
    }
}

static void print_help(void)
{
    printf("usage: %s -n N [options] program [arguments] [: -n M [options] program [arguments]] ...\n\n"
           "Starts the %ss of %s, on this machine or by a launcher.  -n, --wdir and -x belong to one\n"
           "executable.\n\n", words.tool,
           words.unit, words.job);
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const struct option *o = &options[i];
        if (!o->help)
            continue;
        char left[64];
        int n = snprintf(left, sizeof left, "%s%s", o->name[1] ? "--" : "-", o->name);
        if (o->other_name)
            n += snprintf(left + n, sizeof left - (size_t)n, ", %s%s", o->other_name[1] ? "--" : "-", o->other_name);
        if (o->value)
            snprintf(left + n, sizeof left - (size_t)n, "%s%s", o->value[0] == '=' ? "" : " ", o->value);
        for (const char *help = o->help, *end; help; help = *end ? end + 1 : NULL) {
            end = strchrnul(help, '\n');
            printf("  %-24s ", help == o->help ? left : "");
            print_in_words(help, (int)(end - help));
            printf("\n");
        }
    }
    printf("\nOptions of other launchers with the same meaning are accepted, such as --host, --bind-to, --tag-output, "
           "-ppn, -genv.\nWithout -n, FOR_COARRAY_NUM_IMAGES or the job of Slurm, PBS, LSF or Grid Engine gives the "
           "number of %ss.\n",
           words.unit);
    printf("\nSIGQUIT (Ctrl-\\) makes %s print what each %s waits for.\n", words.tool, words.unit);
}

static bool is_refused(enum option_id id)
{
    return id == OPT_REFUSED || id == OPT_REFUSED_COUNT;
}

/* The option whose name is most similar to the first length characters of given, or NULL. */
static const char *meant(const char *given, size_t length)
{
    char name[64];
    const char *best = NULL;
    unsigned least = length > 4 ? 3 : 2; /* more than the number of letters that may differ */
    snprintf(name, sizeof name, "%.*s", (int)length, given);
    for (size_t i = 0; length > 2 && i < N_OPTIONS; i++)
        for (int other = 0; other < 2; other++) {
            const char *known = other ? options[i].other_name : options[i].name;
            const unsigned distance = known && known[1] ? setting_distance(known, name) : least;
            if (distance < least) {
                least = distance;
                best = known;
            }
        }
    return best;
}

/* shown: the length of the option's name in arg. */
static const struct option *find_option(const char *arg, const char **value, int *shown)
{
    const char *name = arg + (arg[1] == '-' ? 2 : 1);
    size_t length = strcspn(name, "=");
    for (size_t i = 0; i < N_OPTIONS; i++)
        for (int other = 0; other < 2; other++) {
            const char *known = other ? options[i].other_name : options[i].name;
            const size_t n = known ? strlen(known) : 0;
            if (!known || strncmp(known, name, n) != 0)
                continue;
            const bool attached = n < length && strspn(name + n, "0123456789") == length - n && !name[length]; /* -n4 */
            if (n == length || (attached && (options[i].value || is_refused(options[i].id)))) {
                *value = attached ? name + n : name[length] ? name + length + 1 : NULL;
                *shown = (int)(name + n - arg);
                return &options[i];
            }
        }
    const char *near = meant(name, length);
    if (near)
        die(EXIT_USAGE, "%s: no such option; is --%s meant? %s --help lists them", arg, near, words.tool);
    die(EXIT_USAGE, "%s: no such option; %s --help lists them", arg, words.tool);
}

static double parse_seconds(const char *arg, const char *value)
{
    char *end;
    double s = strtod(value, &end);
    if (end == value || *end || !isfinite(s) || s < 0.001 || s > 1e9)
        die(EXIT_USAGE, "%s %s: expected seconds from 0.001 to 1e9", arg, value);
    return s;
}

static enum bind parse_bind(const char *arg, const char *value)
{
    if (strcmp(value, "core") == 0)
        return BIND_CORE;
    if (strcmp(value, "numa") == 0)
        return BIND_NUMA;
    if (strcmp(value, "none") == 0)
        return BIND_NONE;
    die(EXIT_USAGE, "%s %s: expected core, numa or none", arg, value);
}

static enum launcher parse_launcher(const char *arg, const char *value)
{
    static const char *const names[] = {[LAUNCHER_LOCAL] = "none",
                                        [LAUNCHER_SRUN] = "srun",
                                        [LAUNCHER_MPIRUN] = "mpirun",
                                        [LAUNCHER_PRTERUN] = "prterun"};
    for (enum launcher l = LAUNCHER_LOCAL; l <= LAUNCHER_PRTERUN; l++)
        if (strcmp(value, names[l]) == 0)
            return l;
    die(EXIT_USAGE, "%s %s: expected srun, prterun, mpirun or none", arg, value);
}

/* "4", or "3+1": PEs on each node. Returns the sum. */
static int sum_of_nodes(const char *arg, const char *value)
{
    int sum = 0;
    for (const char *part = value; part; part = strchr(part, '+') ? strchr(part, '+') + 1 : NULL) {
        const size_t digits = strspn(part, "0123456789");
        const int n = digits > 0 && digits < 7 && (part[digits] == '+' || !part[digits]) ? atoi(part) : 0;
        sum += n;
        if (n < 1 || sum > MAX_PES)
            die(EXIT_USAGE, "%s %s: expected a number of nodes, or the numbers of %ss on each, as 3+1", arg, value,
                words.unit);
    }
    return sum;
}

static void check_nodes(const struct options *opt)
{
    const int n = sum_of_nodes("--nodes", opt->nodes);
    if (strchr(opt->nodes, '+') && n != opt->n_pes)
        die(EXIT_USAGE, "--nodes %s: these are %d %ss, and the job has %d", opt->nodes, n, words.unit, opt->n_pes);
    if (n > opt->n_pes)
        die(EXIT_USAGE, "--nodes %s: a job of %d %s%s has 1 to %d nodes", opt->nodes, opt->n_pes, words.unit,
            opt->n_pes == 1 ? "" : "s", opt->n_pes);
}

/* -x NAME=VALUE sets a variable. -x NAME needs no action on this machine, but a launcher must set it on others. */
static void add_env(struct app *app, const char *arg, char *value)
{
    char *equals = strchr(value, '=');
    if (*value == '\0' || equals == value)
        die(EXIT_USAGE, "%s %s: expected NAME=VALUE or NAME", arg, value);
    if (!equals) {
        const char *inherited = environment_as_it_is(value);
        if (!inherited)
            die(EXIT_USAGE, "%s %s: not set in %s's environment; %s NAME=VALUE sets it", arg, value, words.tool, arg);
        value = text_of("%s=%s", value, inherited);
    }
    add_setting(app, value);
}

static void apply_option(const struct option *o, const char *arg, char *value, struct options *opt, struct app *app)
{
    switch (o->id) {
    case OPT_N: app->n_pes = parse_count(arg, value); break;
    case OPT_WDIR: app->wdir = value; break;
    case OPT_ENV: add_env(app, arg, value); break;
    case OPT_BIND: opt->bind = parse_bind(arg, value); break;
    case OPT_TAG: opt->tag = true; break;
    case OPT_OUTLIVE: opt->outlive = true; break;
    case OPT_HOSTS: opt->hosts = value; break;
    case OPT_LAUNCHER: opt->launcher = parse_launcher(arg, value); break;
    case OPT_LOCAL: opt->launcher = LAUNCHER_LOCAL; break;
    case OPT_NODES:
        sum_of_nodes(arg, value);
        opt->nodes = value;
        break;
    case OPT_FABRIC: opt->fabric = value; break;
    case OPT_TRACE: opt->trace = true; /* fallthrough */
    case OPT_PROFILE: opt->profile = value ? value : opt->profile ? opt->profile : ""; break;
    case OPT_DRY_RUN: opt->dry_run = true; break;
    case OPT_RACES: set_races(opt, arg, value); break;
    case OPT_SUPPRESS: opt->suppress = value; break;
    case OPT_WATCH: opt->watch = parse_seconds(arg, value); break;
    case OPT_TIMEOUT: opt->timeout = parse_seconds(arg, value); break;
    case OPT_DEBUG:
        opt->debug = true;
        opt->debug_list = value;
        break;
    case OPT_ATTACH:
        opt->attach = true;
        opt->attach_job = value;
        break;
    case OPT_VERBOSE: opt->verbose = true; break;
    case OPT_HOST_FILE: opt->hosts = text_of("@%s", value); break;
    case OPT_PER_NODE: opt->per_node = parse_count(arg, value); break;
    case OPT_ENV_OF_ALL: add_env(&opt->all, arg, value); break;
    case OPT_AS_EVER: break;
    case OPT_IGNORED:
        say("%s %s is ignored: %ss are placed and numbered in blocks, node by node", arg, value, words.unit);
        break;
    case OPT_COMPONENT:
        say("%s %s is ignored: components are Open MPI's; if a job is handed over to its mpirun, environment variables "
            "like OMPI_MCA_btl do the same", arg, value);
        break;
    case OPT_HWTHREADS:
        say("%s is ignored: %ss get shares of the cores, with all hardware threads of each", arg, words.unit);
        break;
    case OPT_REFUSED_COUNT:
        die(EXIT_USAGE, "%s: in Open MPI this is the number of %ss, in Slurm the number of CPUs of each; use -n N", arg,
            words.unit);
    case OPT_REFUSED:
        die(EXIT_USAGE, "%s: in some launchers this is the number of %ss on each node, in others the number of nodes; "
            "use -ppn K or --nodes K", arg, words.unit);
    case OPT_HELP: print_help(); exit(0);
    case OPT_VERSION: printf("%s (Copal) %s\n", words.tool, COPAL_VERSION); exit(0);
    }
}

/* Parses one executable and its arguments: argv[0] to argv[n - 1], with argv[n] NULL. */
static void parse_app(char **argv, struct options *opt, struct app *app)
{
    for (; *argv && (*argv)[0] == '-' && (*argv)[1]; argv++) {
        char *arg = *argv;
        if (strcmp(arg, "--") == 0) {
            argv++;
            break;
        }
        const char *value;
        int length;
        const struct option *o = find_option(arg, &value, &length);
        if (value && !o->value && !is_refused(o->id))
            die(EXIT_USAGE, "%s: this option takes no value", arg);
        char shown[32];
        snprintf(shown, sizeof shown, "%.*s", length, arg);
        const bool is_last = !argv[1] || argv[1][0] == '-';
        const bool may_lack_value = !o->value || o->value[0] == '=' || (o->id == OPT_ATTACH && is_last);
        if (!may_lack_value && !value && !(value = *++argv))
            die(EXIT_USAGE, "%s: %s is missing", shown, o->value);
        const bool has_two = (o->id == OPT_ENV_OF_ALL && !strchr(value, '=')) || o->id == OPT_COMPONENT;
        if (has_two && !*++argv)
            die(EXIT_USAGE, "%s %s: the value is missing", shown, value);
        if (has_two)
            value = text_of(o->id == OPT_COMPONENT ? "%s %s" : "%s=%s", value, *argv);
        apply_option(o, shown, (char *)value, opt, app);
    }
    if (opt->attach)
        return;
    if (!*argv)
        die(EXIT_USAGE, "no program to run; the usage is: %s -n N [options] program [arguments]", words.tool);
    app->argv = argv;
}

/* The number of PEs if the command line does not give it: from the user's setting or the batch system. */
static void default_count(struct options *opt)
{
    const char *images = environment("FOR_COARRAY_NUM_IMAGES");
    struct app *only = opt->n_apps == 1 && !opt->apps[0].n_pes ? opt->apps : NULL;
    if (only)
        only->n_pes = images ? parse_count("FOR_COARRAY_NUM_IMAGES", images) : allocation_size();
    for (int a = 0; a < opt->n_apps; a++)
        if (!opt->apps[a].n_pes)
            die(EXIT_USAGE, "%s: how many %ss? Give -n N before the program", opt->apps[a].argv[0], words.unit);
}

/* Puts the settings of -genv before each executable's own settings, which take precedence. */
static void add_env_of_all(struct options *opt)
{
    for (int a = 0; a < opt->n_apps; a++) {
        struct app *app = &opt->apps[a];
        const size_t n = (size_t)opt->all.n_env, own = (size_t)app->n_env;
        app->env = enlarge(app->env, sizeof *app->env * (n + own));
        memmove(app->env + n, app->env, sizeof *app->env * own);
        memcpy(app->env, opt->all.env, sizeof *app->env * n);
        app->n_env += opt->all.n_env;
    }
}

void parse_options(int argc, char **argv, struct options *opt)
{
    const char *name = argc ? basename(argv[0]) : "";
    if (strcmp(name, "cafrun") == 0 || strcmp(name, "copal-cafrun") == 0) {
        words = words_of_cafrun;
        opt->outlive = true;
    }
    const bool has_one = argc > 1 && strcmp(argv[1], "--one-program") == 0; /* for src/caf/control/alone.c */
    const int first = has_one ? 2 : 1;
    for (int start = first; start == first || start <= argc;) {
        int end = start;
        while (end < argc && (has_one || strcmp(argv[end], ":") != 0))
            end++;
        argv[end] = NULL;
        opt->apps = enlarge(opt->apps, sizeof *opt->apps * (size_t)(opt->n_apps + 1));
        struct app *app = &opt->apps[opt->n_apps++];
        *app = (struct app){0};
        parse_app(argv + start, opt, app);
        start = end + 1;
    }
    if (opt->attach)
        return;
    default_count(opt);
    if (!opt->hosts && opt->launcher == LAUNCHER_ANY)
        opt->hosts = allocation_hosts();
    for (int a = 0; a < opt->n_apps; a++) {
        opt->n_pes += opt->apps[a].n_pes;
        if (opt->n_pes > MAX_PES)
            die(EXIT_USAGE, "-n: %d %ss in all, at most %d are possible", opt->n_pes, words.unit, MAX_PES);
    }
    if (opt->nodes)
        check_nodes(opt);
    if (opt->all.n_env)
        add_env_of_all(opt);
}
