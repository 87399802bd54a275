/* The words of the library that compiled accesses read: offsets in the table at _gfortran_caf_near
 * (src/caf/gfortran/near.c) and in a coarray's record, whose address is its token. They are part of a program's
 * binary interface: from the first release on, a different layout has a different number, symbol and version node in
 * gfortran.map. Before that, build plugin and libraries together: a plugin of another layout makes wrong accesses. */
#ifndef COPAL_CAF_PLUGIN_LAYOUT_H
#define COPAL_CAF_PLUGIN_LAYOUT_H

enum { CAF_NEAR_LAYOUT = 1 };

enum { CAF_HIDDEN_ADDRESS = 4096 }; /* of components in an object copied from another image; unmapped */

enum caf_near_offset {
    CAF_NEAR_NUMBER = 0,  /* CAF_NEAR_LAYOUT; 4 bytes */
    CAF_NEAR_BEYOND = 4,  /* the first image index that is too large; 4 bytes */
    CAF_NEAR_HEAPS = 8,   /* the address range of the node's heaps, the same on all its images */
    CAF_NEAR_HEAPS_BYTES = 16,
    CAF_NEAR_NOTHING = 24, /* zeros, read in place of a coarray's record or a descriptor that does not exist */
    CAF_NEAR_NOTHING_BYTES = 400,
    CAF_NEAR_DISTANCE = 424, /* 8 bytes for each image index from 0 to BEYOND */
};

enum caf_coarray_offset { CAF_COARRAY_BASE = 0, CAF_COARRAY_BYTES = 8 };

#endif
