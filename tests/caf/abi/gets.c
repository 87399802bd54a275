/* images: 1 2 4 */
/* Gets into temporary arrays, which gfortran 15 and 16 create in three ways. Small temporaries are on the stack. Large
 * ones come from malloc; the program frees them late or never, so the library frees them when the statement is repeated
 * (temporary.c). If the size is not a constant, the getter allocates the temporary, and the program frees it. */
#include "calls.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 16384, COLUMNS = 4, TURNS = 400, DIFFERENT = 64 };
enum { GET_COLUMN = 301, GET_ROWS, PUT_COLUMN }; /* the accessors' hashes */

static caf_token matrix;
static double *mine;
static int images, me;

/* --- accessors ---------------------------------------------------------------------------------------------------- */

static void copy(struct gfortran_descriptor *to, int32_t *is_new, const double *from, int n, int step)
{
    *is_new = !to->base;
    if (!to->base) {
        to->base = malloc((size_t)n * sizeof(double));
        to->dim[0] = (struct gfortran_dim){1, 1, n};
        to->offset = (size_t)-1;
        to->span = sizeof(double);
        to->dtype.elem_len = sizeof(double);
        to->dtype.rank = 1;
        to->dtype.type = CAF_REAL;
    }
    double *at = (double *)to->base + to->offset + to->dim[0].lower * to->dim[0].stride;
    for (int i = 0; i < n; i++)
        at[i * to->dim[0].stride] = from[i * step];
}

/* x = m(:, j)[k] */
static void get_column(const int *j, const int *caller, struct gfortran_descriptor *to, int32_t *is_new, double *m)
{
    (void)caller;
    copy(to, is_new, &m[(ptrdiff_t)(*j - 1) * ROWS], ROWS, 1);
}

/* x = m(i::2, 1)[k] */
static void get_rows(const int *i, const int *caller, struct gfortran_descriptor *to, int32_t *is_new, double *m)
{
    (void)caller;
    copy(to, is_new, &m[*i - 1], ROWS / 2, 2);
}

/* m(2:n + 1, 1)[k] = v */
static void put_column(const int *n, const int *caller, double *m, const struct gfortran_descriptor *v)
{
    (void)caller;
    for (int i = 0; i < *n; i++)
        m[1 + i] = ((const double *)v->base)[i];
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static double value(int image, int i, int j)
{
    return image * 1e9 + j * 1e6 + i;
}

static void set_mine(void)
{
    for (int j = 1; j <= COLUMNS; j++)
        for (int i = 1; i <= ROWS; i++)
            mine[(j - 1) * ROWS + i - 1] = value(me, i, j);
}

static struct gfortran_descriptor *describe(struct descriptor_room *room, void *base, int n)
{
    struct gfortran_descriptor *d = (void *)room->bytes;
    *d = (struct gfortran_descriptor){.base = base, .span = sizeof(double),
                                      .dtype = {.elem_len = sizeof(double), .rank = 1, .type = CAF_REAL}};
    d->dim[0] = (struct gfortran_dim){1, 0, n - 1};
    return d;
}

static const double *get(int hash, int image, int argument, struct gfortran_descriptor *d, int n)
{
    void *data = d->base;
    _gfortran_caf_get_from_remote(matrix, NULL, NULL, image, (size_t)n * sizeof(double), &data, NULL, d, !data,
                                  _gfortran_caf_get_remote_function_index(hash), &argument, sizeof argument, NULL,
                                  NULL, NULL);
    return d->base;
}

static void check_values(const double *found, int image, int n, int first, int step, int column)
{
    for (int i = 0; i < n; i++)
        CHECK(found[i] == value(image, first + i * step, column), "element %d of image %d, column %d, is %.0f", i,
              image, column, found[i]);
}

/* The library must not free temporaries on the stack. */
static void get_to_stack(int image)
{
    struct descriptor_room room;
    double temporary[ROWS / 2];
    for (int turn = 0; turn < TURNS / 4; turn++) {
        int first = 1;
        memset(temporary, 0, sizeof temporary);
        const double *found = get(GET_ROWS, image, first, describe(&room, temporary, ROWS / 2), ROWS / 2);
        check_values(found, image, ROWS / 2, first, 2, 1);
    }
}

/* The number of different blocks that malloc returns while a statement is repeated and the program frees none. */
static int blocks_of(int hash, int image, int n, int step)
{
    struct descriptor_room room;
    const void *seen[DIFFERENT] = {NULL};
    int different = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        void *block = malloc((size_t)n * sizeof(double));
        int known = 0;
        while (known < different && seen[known] != block)
            known++;
        if (known == different && different < DIFFERENT)
            seen[different++] = block;
        const int argument = step == 1 ? 1 + turn % 2 : 1;
        const double *found = get(hash, image, argument, describe(&room, block, n), n);
        check_values(found, image, n, 1, step, step == 1 ? argument : 1);
    }
    return different;
}

/* If the program frees a temporary itself, after other gets, the library must not free it again. */
static void get_and_free(int image)
{
    enum { FIRST, SECOND, GETS };
    struct descriptor_room rooms[GETS];
    for (int turn = 0; turn < TURNS; turn++) {
        double *block[GETS];
        for (int i = FIRST; i < GETS; i++) {
            block[i] = malloc(ROWS * sizeof(double));
            const double *found = get(GET_COLUMN, image, 1 + i, describe(&rooms[i], block[i], ROWS), ROWS);
            check_values(found, image, ROWS, 1, 1, 1 + i);
        }
        double *const others = calloc(ROWS, sizeof *others); /* the block of a temporary, if that was freed too early */
        free(block[FIRST]);
        double *const again = malloc(ROWS * sizeof *again); /* usually the block that was just freed */
        for (int i = 0; i < ROWS; i++)
            others[i] = again[i] = turn;
        check_values(block[SECOND], image, ROWS, 1, 1, 2);
        double *const third = malloc(ROWS * sizeof *third);
        get(GET_COLUMN, image, 1, describe(&rooms[FIRST], third, ROWS), ROWS);
        for (int i = 0; i < ROWS; i++)
            CHECK(others[i] == turn && again[i] == turn, "element %d of another block is %.0f", i, again[i]);
        free(third);
        free(again);
        free(others);
        if (turn % 2)
            free(block[SECOND]);
    }
}

/* Two gets in one statement, whose getters allocate the temporaries and set the bounds (17 is not the size). */
static void get_new(int image)
{
    enum { FIRST, SECOND, GETS };
    struct descriptor_room rooms[GETS];
    for (int turn = 0; turn < TURNS; turn++) {
        struct gfortran_descriptor *d[GETS] = {describe(&rooms[FIRST], NULL, 17), describe(&rooms[SECOND], NULL, 17)};
        get(GET_COLUMN, image, 1 + turn % 2, d[FIRST], ROWS);
        get(turn % 2 ? GET_ROWS : GET_COLUMN, image, 1, d[SECOND], ROWS);
        const int step = turn % 2 ? 2 : 1, n[GETS] = {ROWS, ROWS / step};
        check_values(d[FIRST]->base, image, ROWS, 1, 1, 1 + turn % 2);
        check_values(d[SECOND]->base, image, ROWS / step, 1, step, 1);
        for (int i = FIRST; i < GETS; i++) {
            CHECK(d[i]->dim[0].upper - d[i]->dim[0].lower + 1 == n[i], "%td to %td are %d elements", d[i]->dim[0].lower,
                  d[i]->dim[0].upper, n[i]);
            free(d[i]->base);
        }
    }
}

/* m(2:n + 1, 1)[k] = (m(:n, 1)[k]): source and destination overlap. */
static void put_what_is_got(int image)
{
    enum { N = 1000 };
    struct descriptor_room room;
    double temporary[ROWS], *const column = malloc(ROWS * sizeof *column);
    for (int turn = 0; turn < 100; turn++) {
        memcpy(column, get(GET_COLUMN, image, 1, describe(&room, temporary, ROWS), ROWS), ROWS * sizeof *column);
        struct gfortran_descriptor *d = describe(&room, temporary, ROWS);
        get(GET_COLUMN, image, 1, d, ROWS);
        d->dim[0].upper = N - 1;
        int n = N;
        _gfortran_caf_send_to_remote(matrix, NULL, NULL, image, N * sizeof(double), NULL, NULL, d,
                                     _gfortran_caf_get_remote_function_index(PUT_COLUMN), &n, sizeof n, NULL, NULL,
                                     NULL);
        const double *found = get(GET_COLUMN, image, 1, describe(&room, temporary, ROWS), ROWS);
        for (int i = 0; i < ROWS; i++) {
            const double expected = column[i >= 1 && i <= N ? i - 1 : i];
            CHECK(found[i] == expected, "turn %d: element %d is %.0f, not %.0f", turn, i, found[i], expected);
        }
    }
    free(column);
}

int main(int argc, char **argv)
{
    struct descriptor_room room;
    struct gfortran_descriptor *d = (void *)room.bytes;
    *d = (struct gfortran_descriptor){.dtype = {.elem_len = sizeof(double), .type = CAF_REAL}};
    _gfortran_caf_register_accessor(GET_COLUMN, (void (*)(void))get_column);
    _gfortran_caf_register_accessor(GET_ROWS, (void (*)(void))get_rows);
    _gfortran_caf_register_accessor(PUT_COLUMN, (void (*)(void))put_column);
    _gfortran_caf_register_accessors_finish();
    _gfortran_caf_register(ROWS * COLUMNS * sizeof(double), COARRAY_STATIC, &matrix, d, NULL, NULL, 0);
    mine = d->base;
    _gfortran_caf_init(&argc, &argv);
    images = shmem_n_pes();
    me = shmem_my_pe() + 1;
    set_mine();
    _gfortran_caf_sync_all(NULL, NULL, 0);
    for (int image = 1; image <= images; image++) {
        get_to_stack(image);
        get_new(image);
        get_and_free(image);
        const int columns = blocks_of(GET_COLUMN, image, ROWS, 1), rows = blocks_of(GET_ROWS, image, ROWS / 2, 2);
        CHECK(columns < DIFFERENT && rows < DIFFERENT, "%d and %d blocks are in use for one temporary", columns, rows);
    }
    _gfortran_caf_sync_all(NULL, NULL, 0);
    put_what_is_got(me % images + 1);
    _gfortran_caf_sync_all(NULL, NULL, 0);
    const int result = check_result();
    if (!result)
        _gfortran_caf_finalize();
    return result;
}
