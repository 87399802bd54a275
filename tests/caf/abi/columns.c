/* images: 1 2 4 */
/* Puts one column of a matrix after the other, more columns than the library can remember: it still learns some of the
 * sections, and all data arrives. Also puts single elements, without a section's arguments. */
#include "calls.h"
#include "check.h"

/* The library learns a column after equal puts have moved as many bytes as the matrix has: COLUMNS puts. */
enum { ROWS = 64, COLUMNS = 300, ROUNDS = COLUMNS + 20 };
enum { PUT_COLUMN = 201, PUT_ELEMENT, GET_ELEMENT }; /* the accessors' hashes */

static int runs, all_runs; /* runs of put_column on this image; on image 1, the sum of all images */
static caf_token matrix;
static double *mine;

/* --- accessors ---------------------------------------------------------------------------------------------------- */

/* m(:, j)[k] = v */
static void put_column(const int *j, const int *caller, double *m, const struct gfortran_descriptor *v)
{
    (void)caller;
    for (int i = 0; i < ROWS; i++)
        m[(ptrdiff_t)(*j - 1) * ROWS + i] = ((const double *)v->base)[i * v->dim[0].stride];
    runs++;
}

/* m(i, 1)[k] = v */
static void put_element(const int *i, const int *caller, double *m, const double *v)
{
    (void)caller;
    m[*i - 1] = *v;
}

static void get_element(const int *i, const int *caller, void **buffer, int32_t *free_buffer, double *m)
{
    (void)caller;
    *buffer = &m[*i - 1];
    *free_buffer = 0;
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static double value(int image, int round, int i, int j)
{
    return image * 1e9 + round * 1e6 + j * 1e3 + i;
}

static void put_columns(int image, int me, int round, ptrdiff_t stride)
{
    static double from[ROWS];
    struct descriptor_room room;
    struct gfortran_descriptor *d = (void *)room.bytes;
    *d = (struct gfortran_descriptor){.base = stride > 0 ? from : &from[ROWS - 1], .offset = (size_t)-stride,
                                      .span = sizeof(double),
                                      .dtype = {.elem_len = sizeof(double), .rank = 1, .type = CAF_REAL}};
    d->dim[0] = (struct gfortran_dim){stride, 1, ROWS};
    for (int j = 1; j <= COLUMNS; j++) {
        for (int i = 0; i < ROWS; i++)
            from[stride > 0 ? i : ROWS - 1 - i] = value(me, round, i, j);
        _gfortran_caf_send_to_remote(matrix, NULL, NULL, image, sizeof from, NULL, NULL, d,
                                     _gfortran_caf_get_remote_function_index(PUT_COLUMN), &j, sizeof j, NULL, NULL,
                                     NULL);
    }
}

static void check_columns(int from, int round)
{
    for (int j = 1; j <= COLUMNS; j++)
        for (int i = 0; i < ROWS; i++)
            CHECK(mine[(j - 1) * ROWS + i] == value(from, round, i, j), "round %d: element %d of column %d is %.0f",
                  round, i, j, mine[(j - 1) * ROWS + i]);
}

static void check_elements(int image, int me, int images)
{
    int status = -1, *const stats[] = {NULL, &status};
    for (int i = 1; i <= ROWS; i++) {
        const double sent = value(me, 0, i, 7);
        double got = 0;
        void *to = &got;
        int place = (me - 1) * ROWS + i;
        int *const stat = stats[i % 2];
        _gfortran_caf_send_to_remote(matrix, NULL, NULL, image, sizeof sent, &sent, NULL, NULL,
                                     _gfortran_caf_get_remote_function_index(PUT_ELEMENT), &place, sizeof place, stat,
                                     NULL, NULL);
        _gfortran_caf_get_from_remote(matrix, NULL, NULL, image, sizeof got, &to, NULL, NULL, false,
                                      _gfortran_caf_get_remote_function_index(GET_ELEMENT), &place, sizeof place, stat,
                                      NULL, NULL);
        CHECK(got == sent, "element %d on image %d is %.0f, not %.0f", i, image, got, sent);
    }
    CHECK(status == CAF_OK, "stat= is %d", status);
    status = 0;
    double got = 42;
    void *to = &got;
    int place = 1;
    _gfortran_caf_get_from_remote(matrix, NULL, NULL, images + 1, sizeof got, &to, NULL, NULL, false,
                                  _gfortran_caf_get_remote_function_index(GET_ELEMENT), &place, sizeof place, &status,
                                  NULL, NULL);
    CHECK(status == CAF_STAT_ERROR && got == 42, "stat= is %d of an image that is not there, %.0f is got", status, got);
}

int main(int argc, char **argv)
{
    struct descriptor_room room;
    struct gfortran_descriptor *d = (void *)room.bytes;
    *d = (struct gfortran_descriptor){.dtype = {.elem_len = sizeof(double), .type = CAF_REAL}};
    _gfortran_caf_register_accessor(PUT_COLUMN, (void (*)(void))put_column);
    _gfortran_caf_register_accessor(PUT_ELEMENT, (void (*)(void))put_element);
    _gfortran_caf_register_accessor(GET_ELEMENT, (void (*)(void))get_element);
    _gfortran_caf_register_accessors_finish();
    _gfortran_caf_register(ROWS * COLUMNS * sizeof(double), COARRAY_STATIC, &matrix, d, NULL, NULL, 0);
    mine = d->base;
    _gfortran_caf_init(&argc, &argv);
    const int images = shmem_n_pes(), me = shmem_my_pe() + 1;
    const int image = me % images + 1, from = (me + images - 2) % images + 1;
    for (int round = 1; round <= ROUNDS; round++) {
        _gfortran_caf_sync_all(NULL, NULL, 0);
        put_columns(image, me, round, round < ROUNDS ? 1 : -1);
        if (round == 1 || round >= ROUNDS - 2) {
            _gfortran_caf_sync_all(NULL, NULL, 0);
            check_columns(from, round);
        }
    }
    shmem_int_atomic_add(&all_runs, runs, 0); /* the accessor runs on the image that puts, or on the target */
    _gfortran_caf_sync_all(NULL, NULL, 0);
    CHECK(all_runs < images * ROUNDS * COLUMNS, "the library has learned none of %d columns: %d runs", COLUMNS,
          all_runs);
    for (int to = 1; to <= images; to++)
        check_elements(to, me, images);
    _gfortran_caf_sync_all(NULL, NULL, 0);
    const int result = check_result();
    if (!result)
        _gfortran_caf_finalize();
    return result;
}
