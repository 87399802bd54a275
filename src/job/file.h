/* Finds, creates and maps the job file, which the PEs of a node share. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Opens the job file of oshrun; -1 if this process was not started by oshrun. */
int file_inherited(int *pe, int *n_pes, pid_t *launcher);

int file_new(int n_pes, bool outlives);

/* Maps the file. From then on, if several PEs find the same error, one prints it. launcher: oshrun's process, or 0. */
void file_map(int fd, int pe, int n_pes, int first_seat, int n_seats, pid_t launcher);
