/* images: 1 2 4 */
/* malloc reuses blocks that were allocated before the program began and are freed later. Other images cannot access
 * these blocks, so an allocatable component must not be in such a block, also after it has grown. */
#include "calls.h"
#include "check.h"

enum { EARLY = 2000, BYTES = 48, COMPONENTS = 6000 };
enum { PUT = 301 }; /* the accessor's hash */

static int **components; /* the components of this image's object */

/* object[k]%components(i)%v(1) = value */
static void put(const int *i, const int *caller, int **object, const int *value)
{
    (void)caller;
    *object[*i] = *value;
}

static void allocate_all(void)
{
    for (int i = 0; i < COMPONENTS; i++) {
        components[i] = malloc(i % 2 ? BYTES : BYTES / 2);
        if (i % 2 == 0)
            components[i] = realloc(components[i], BYTES);
        *components[i] = -1;
    }
}

static void check_all(caf_token object, int image, int from)
{
    for (int i = 0; i < COMPONENTS; i++) {
        const int value = 1000 * shmem_my_pe() + i;
        _gfortran_caf_send_to_remote(object, NULL, NULL, image, sizeof value, &value, NULL, NULL,
                                     _gfortran_caf_get_remote_function_index(PUT), &i, sizeof i, NULL, NULL, NULL);
    }
    _gfortran_caf_sync_all(NULL, NULL, 0);
    for (int i = 0; i < COMPONENTS; i++)
        CHECK(*components[i] == 1000 * from + i, "component %d is %d", i, *components[i]);
}

int main(int argc, char **argv)
{
    static void *early[2 * EARLY];
    for (int i = 0; i < 2 * EARLY; i++)
        early[i] = malloc(i % 2 ? BYTES : BYTES / 2);
    struct descriptor_room room;
    struct gfortran_descriptor *d = (void *)room.bytes;
    caf_token object;
    *d = (struct gfortran_descriptor){.dtype = {.elem_len = sizeof(int *), .type = CAF_DERIVED}};
    _gfortran_caf_register_accessor(PUT, (void (*)(void))put);
    _gfortran_caf_register_accessors_finish();
    _gfortran_caf_register(COMPONENTS * sizeof(int *), COARRAY_STATIC, &object, d, NULL, NULL, 0);
    components = d->base;
    _gfortran_caf_init(&argc, &argv);
    const int images = shmem_n_pes(), me = shmem_my_pe();
    for (int i = 0; i < 2 * EARLY; i++)
        free(early[i]);
    allocate_all();
    _gfortran_caf_sync_all(NULL, NULL, 0);
    check_all(object, (me + 1) % images + 1, (me + images - 1) % images);
    for (int i = 0; i < COMPONENTS; i++)
        free(components[i]);
    _gfortran_caf_sync_all(NULL, NULL, 0);
    const int result = check_result();
    if (!result)
        _gfortran_caf_finalize();
    return result;
}
