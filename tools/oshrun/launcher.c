/* Chooses the launcher of a job that spans nodes: Slurm's srun in its allocations, else PRRTE's prterun or Open MPI's
 * mpirun. */
#include "target.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int slurm_nodes(void)
{
    const char *n = environment("SLURM_JOB_NUM_NODES");
    if (!n)
        n = environment("SLURM_NNODES");
    return environment("SLURM_JOB_ID") && n ? atoi(n) : 0;
}

bool launcher_wanted(const struct options *opt)
{
    if (opt->launcher == LAUNCHER_LOCAL) {
        if (opt->hosts)
            die(EXIT_USAGE, "--hosts names other machines, --local starts PEs only on this one; leave one out");
        return false;
    }
    if (opt->hosts || opt->launcher != LAUNCHER_ANY)
        return true;
    return slurm_nodes() > 1 && !is_launched();
}

bool launcher_on_path(const char *name)
{
    char file[PATH_MAX];
    return find_on_path(name, X_OK, file);
}

/* Reads the beginning of a command's output; false: the command failed. */
static bool ask(const char *command, char *text, size_t size)
{
    FILE *out = popen(command, "re");
    if (!out)
        return false;
    const size_t n = fread(text, 1, size - 1, out);
    text[n] = '\0';
    char rest[512];
    while (fread(rest, 1, sizeof rest, out) > 0) /* prevents SIGPIPE in the command */
        ;
    return pclose(out) == 0;
}

/* Reads the version from the first line: "mpirun (Open MPI) 4.1.4", "prterun (PRRTE) 3.0.3". */
static bool find_by_version(struct target *t, const char *program, const char *family)
{
    char command[64], text[512], known[32];
    if (!launcher_on_path(program))
        return false;
    snprintf(command, sizeof command, "%s --version 2>/dev/null </dev/null", program);
    snprintf(known, sizeof known, "(%s) ", family);
    const char *at = ask(command, text, sizeof text) ? strstr(text, known) : NULL;
    if (!at)
        return false;
    at += strlen(known);
    snprintf(t->version, sizeof t->version, " (%s %.*s)", family, (int)strcspn(at, " \n"), at);
    t->program = program;
    t->prrte = t->kind == LAUNCHER_PRTERUN || atoi(at) >= 5;
    return true;
}

static bool find_prterun(struct target *t)
{
    t->kind = LAUNCHER_PRTERUN;
    if (!launcher_on_path("prterun"))
        return false;
    t->program = "prterun";
    t->prrte = true;
    find_by_version(t, "prterun", "PRRTE");
    return true;
}

/* MPICH's mpirun has the same name and another protocol; Debian can have both installed. */
static bool find_mpirun(struct target *t)
{
    t->kind = LAUNCHER_MPIRUN;
    return find_by_version(t, "mpirun", "Open MPI") || find_by_version(t, "mpirun.openmpi", "Open MPI");
}

static bool find_srun(struct target *t)
{
    char text[4096];
    t->kind = LAUNCHER_SRUN;
    if (!launcher_on_path("srun"))
        return false;
    t->program = "srun";
    if (ask("srun --mpi=list 2>&1 </dev/null", text, sizeof text) && !strstr(text, "pmix"))
        die(EXIT_JOB, "this Slurm has no PMIx (srun --mpi=list does not name it): its %ss cannot find each other; "
            "install Slurm's PMIx plugin, or use --launcher mpirun", words.unit);
    return true;
}

/* Open MPI 5's mpirun crashes with several programs. The prterun that it runs does not crash if it is started directly,
 * without mpirun's variables (OMPI_COMM_WORLD_SIZE and so on). Other variables permit prterun to run as root. */
static void run_as_prterun(struct target *t)
{
    static const char *const names[][2] = {{"OMPI_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT"},
                                           {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"}};
    t->program = "prterun";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (environment(names[i][0]))
            setenv(names[i][1], environment(names[i][0]), false);
}

void launcher_find(const struct options *opt, struct target *t)
{
    const char *mpirun_says = launcher_on_path("mpirun") ? "the mpirun that is installed is not Open MPI's"
                                                : "mpirun is not installed";
    switch (opt->launcher) {
    case LAUNCHER_SRUN:
        if (!find_srun(t))
            die(EXIT_JOB, "--launcher srun: srun is not installed; it is part of Slurm");
        return;
    case LAUNCHER_PRTERUN:
        if (!find_prterun(t))
            die(EXIT_JOB, "--launcher prterun: prterun is not installed; it is part of PRRTE");
        return;
    case LAUNCHER_MPIRUN:
        if (!find_mpirun(t))
            die(EXIT_JOB, "--launcher mpirun: %s; on Debian, the package openmpi-bin has it", mpirun_says);
        if (opt->n_apps > 1 && strstr(t->version, "Open MPI 5.") && launcher_on_path("prterun"))
            run_as_prterun(t);
        return;
    default: break;
    }
    if (environment("SLURM_JOB_ID")) {
        if (!find_srun(t))
            die(EXIT_JOB,
                "this is Slurm job %s, and srun is not on PATH; add it, or choose with --launcher (--local: this "
                "machine alone)",
                environment("SLURM_JOB_ID"));
        return;
    }
    if (!find_prterun(t) && !find_mpirun(t))
        die(EXIT_JOB,
            "other hosts need a launcher and there is none: prterun is not installed, %s; on Debian, the package "
            "openmpi-bin has one",
            mpirun_says);
}
