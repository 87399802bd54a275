/* A PE as a fibre: a stack of its own in this process, which runs until it passes the turn to another fibre. */
#pragma once

#include <stddef.h>

struct fibre {
    void *top;    /* its saved registers, while another fibre runs */
    void *stack;  /* NULL: the thread's own stack, to which fibres return */
    void *shadow; /* the address sanitizer's data */
};

/* Allocates a stack, with an inaccessible page below it. */
void fibre_make(struct fibre *fibre);

/* Drops the fibre's state: at its next turn it calls `run`, which never returns. */
void fibre_begin(struct fibre *fibre, void (*run)(void));

/* Passes the turn from one fibre to the other. */
void fibre_switch(struct fibre *from, struct fibre *to);

/* A fibre calls this first. */
void fibre_begun(void);
