/* A PE as a fibre: a stack of its own in this process, which runs until it passes the turn to another fibre. */
#pragma once

#include <stddef.h>

struct fibre {
    void *top;    /* of its saved registers, while another fibre runs */
    void *stack;  /* NULL: that of the thread, which fibres return to */
    void *shadow; /* the address sanitizer's */
};

/* A stack, with an inaccessible page below it. */
void fibre_make(struct fibre *fibre);

/* At its next turn it starts run from the beginning, which never returns; its earlier state is dropped. */
void fibre_begin(struct fibre *fibre, void (*run)(void));

/* The turn goes from one to the other. */
void fibre_switch(struct fibre *from, struct fibre *to);

/* The first thing that a fibre does. */
void fibre_begun(void);
