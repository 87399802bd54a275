/* Strided and block transfers: which elements they touch. */
/* pes: 3 */
#include "rules.h"

static long ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* 9.6.1.3, iput: the elements between those of a strided put are not accessed. */
RULE(iput_and_iput)
{
    static long array[16];

    if (me == 0)
        shmem_long_iput(array, ones, 2, 1, 8, 2); /* first */
    if (me == 1)
        shmem_long_iput(array + (right ? 1 : 2), ones, 2, 1, 7, 2); /* second */
    shmem_barrier_all();
    look(array[13], me == 2 ? 1 : 0);
}

/* 9.6.1.3, iput: the target may store between the elements. */
RULE(iput_and_store)
{
    static int array[16];
    static int source[4] = {1, 2, 3, 4};

    if (me == 0)
        shmem_int_iput(array, source, 4, 1, 4, 1); /* put */
    if (me == 1)
        array[right ? 11 : 12] = 7; /* store */
    shmem_barrier_all();
    look(array[8], me == 1 ? 3 : 0);
}

/* 9.6.1.3, iput: elements of the source between those of the put are not read. */
RULE(iput_source)
{
    static long array[8], source[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    if (me == 0)
        shmem_long_iput(array, source, 1, 2, 4, 1); /* put */
    if (me == 2)
        shmem_long_p(&source[right ? 3 : 4], 0, 0); /* other */
    shmem_barrier_all();
    look(array[1], me == 1 ? 3 : 0);
}

/* 9.6.1.7, iget: the target may store between the elements. */
RULE(iget_and_store)
{
    static long array[16];
    long copy[4] = {9, 9, 9, 9};

    if (me == 0)
        shmem_long_iget(copy, array, 1, 3, 4, 1); /* get */
    if (me == 1)
        array[right ? 8 : 9] = 7; /* store */
    if (me == 0)
        look(copy[3], 0);
}

/* 9.6.1.7, iget: elements of dest between those of the get are not written. */
RULE(iget_dest)
{
    static long array[4] = {1, 2, 3, 4}, dest[8];

    if (me == 0)
        shmem_long_iget(dest, array, 2, 1, 4, 1); /* get */
    if (me == 2)
        shmem_long_g(&dest[right ? 5 : 6], 0); /* other */
    if (me == 0)
        look(dest[6], 4);
}

/* 9.6.1.4, ibput: two PEs may put blocks to one array, if the blocks do not overlap. */
RULE(ibput_and_ibput)
{
    static long array[16];

    if (me == 0)
        shmem_long_ibput(array, ones, 4, 2, 2, 4, 2); /* first */
    if (me == 1)
        shmem_long_ibput(array + (right ? 2 : 1), ones, 4, 2, 2, 3, 2); /* second */
    shmem_barrier_all();
    look(array[11], me == 2 ? 1 : 0);
}

/* 9.6.1.8, ibget: the target may store between the blocks. */
RULE(ibget_and_store)
{
    static long array[16];
    long copy[6] = {9, 9, 9, 9, 9, 9};

    if (me == 0)
        shmem_long_ibget(copy, array, 2, 5, 2, 3, 1); /* get */
    if (me == 1)
        array[right ? 7 : 6] = 7; /* store */
    if (me == 0)
        look(copy[5], 0);
}

/* 9.6.1.1, put: adjacent ranges do not overlap. */
RULE(ranges_that_touch)
{
    static long array[16];

    if (me == 0)
        shmem_long_put(array, ones, right ? 8 : 9, 2); /* first */
    if (me == 1)
        shmem_long_put(array + 8, ones, 8, 2); /* second */
    shmem_barrier_all();
    look(array[15], me == 2 ? 1 : 0);
}

/* 9.6.1.1, put: a long range overlaps an element in its middle. */
RULE(range_and_element)
{
    static char array[4096], source[4096];

    if (me == 0)
        shmem_putmem(array + 1, source + 1, 4000, 2); /* range */
    if (me == 1)
        shmem_char_p(&array[right ? 4001 : 2001], 1, 2); /* element */
    shmem_barrier_all();
    look(array[4001], me == 2 && right ? 1 : 0);
}

/* 9.6.1.3, iput: several PEs may put columns into one matrix.
 * wrong: race: put put */
RULE(columns)
{
    static double matrix[4][3], column[4] = {1, 2, 3, 4};
    int at = right ? me : me / 2;

    shmem_double_iput(&matrix[0][at], column, 3, 1, 4, 0); /* put */
    shmem_barrier_all();
    if (me == 0)
        look(matrix[3][2], 4);
}
