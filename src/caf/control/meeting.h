/* The barrier of all images on two or three nodes; its messages also carry the small puts between the nodes. */
#pragma once

#include "../caf.h"

/* Called in this order by caf_init, with barriers between them. */
void caf_meeting_begin(void);
void caf_meeting_find_nodes(void);

/* Whether every synchronization of all images uses this barrier. */
extern bool caf_meets;

/* Sends word to the next image and returns the previous image's word. All held puts of all images are then made. */
uint64_t caf_meeting(uint64_t word);
