/* Allocatable and pointer components of coarrays.
 *
 * Each image has its own components; other images find them by their descriptors or pointers.  gfortran registers each
 * with a token, which lies in the object itself: the token records what DEALLOCATE of the component, or the end of the
 * coarray, must free, and ends with the object.
 *
 * An array's address is in its descriptor, before the token, so the token is the distance between them: it stays right
 * although gfortran copies tokens when it copies objects. If a dummy argument is not a coarray, gfortran also allocates
 * and frees its components without a call.  For a scalar the token is the address.  The upper bits distinguish tokens
 * from addresses of coarrays' records and from other contents of objects. */
#include "components.h"
#include "allocation.h"

#include <string.h>

#define TOKEN_KIND ((uintptr_t)0xffff << 48)
#define ARRAY_TOKEN ((uintptr_t)0xcaf1 << 48)
#define SCALAR_TOKEN ((uintptr_t)0xcaf2 << 48)

static uintptr_t kind_of(caf_token token)
{
    return (uintptr_t)token & TOKEN_KIND;
}

/* The value in the token: for an array, the distance from its descriptor to the token; for a scalar, its address. */
static uintptr_t value_of(caf_token token)
{
    return (uintptr_t)token & ~TOKEN_KIND;
}

/* The descriptor of the array that has this token. */
static struct gfortran_descriptor *array_of(const caf_token *token)
{
    return (void *)((char *)(uintptr_t)token - value_of(*token));
}

/* --- registration ------------------------------------------------------------------------------------------------- */

/* The number of dimensions, cobounds included, between a descriptor and its token; -1: the token is elsewhere. */
static int dims_before_token(const caf_token *token, const struct gfortran_descriptor *d)
{
    const uintptr_t distance = (uintptr_t)token - (uintptr_t)d - sizeof *d;
    const size_t dims = distance / sizeof *d->dim;
    return dims <= CAF_RANK && distance == dims * sizeof *d->dim ? (int)dims : -1;
}

bool gfortran_is_component(const caf_token *token, const struct gfortran_descriptor *d, int type)
{
    if (type == COMPONENT_REGISTER_ONLY || type == COMPONENT_ALLOCATE_ONLY)
        return true;
    /* gfortran registers components like coarrays in some assignments, but every coarray has a codimension. */
    return type == COARRAY_ALLOC && (d->base || dims_before_token(token, d) <= d->dtype.rank);
}

/* Memory that other images of the node can access. Objects begin without tokens: gfortran sets only some. */
static void *allocate(size_t size, bool of_objects)
{
    caf_take_back();
    void *memory = gfortran_malloc(size ? size : 1);
    if (memory && of_objects)
        memset(memory, 0, gfortran_usable_bytes(memory));
    return memory;
}

int gfortran_register_component(size_t size, int type, caf_token *token, struct gfortran_descriptor *d)
{
    const uintptr_t distance = (uintptr_t)token - (uintptr_t)d;
    void *memory = NULL;
    if (type != COMPONENT_REGISTER_ONLY) {
        memory = allocate(size, gfortran_has_components(d->dtype.type));
        if (!memory)
            return caf_say(CAF_STAT_ERROR, "allocate: no memory for a component of %zu bytes", size);
        d->base = memory;
    }
    *token = (caf_token)(dims_before_token(token, d) >= 0 ? distance | ARRAY_TOKEN : (uintptr_t)memory | SCALAR_TOKEN);
    return CAF_OK;
}

bool gfortran_is_component_token(caf_token token)
{
    return kind_of(token) == ARRAY_TOKEN || kind_of(token) == SCALAR_TOKEN;
}

void gfortran_deregister_component(caf_token *token)
{
    if (kind_of(*token) == ARRAY_TOKEN) {
        gfortran_free(array_of(token)->base);
    } else {
        gfortran_free((void *)value_of(*token));
        *token = (caf_token)SCALAR_TOKEN;
    }
}

/* --- in objects --------------------------------------------------------------------------------------------------- */

/* The address in the object of the pointer to an allocated component's memory. NULL: the component is not allocated, or
 * was freed without a call, or the word only looks like a token. */
static void **pointer_of(char *object, size_t bytes, const caf_token *token)
{
    if (kind_of(*token) == ARRAY_TOKEN) {
        struct gfortran_descriptor *d = array_of(token);
        const int dims = dims_before_token(token, d);
        const bool is_array = (char *)d >= object && dims > 0 && d->dtype.rank > 0 && d->dtype.rank <= dims;
        return is_array && d->base ? &d->base : NULL;
    }
    void *memory = (void *)value_of(*token);
    for (void **word = (void **)(void *)object; memory && (char *)word < object + bytes; word++)
        if (*word == memory)
            return word;
    return NULL;
}

static void free_target(void **pointer, const caf_token *token)
{
    const struct gfortran_descriptor *array = kind_of(*token) == ARRAY_TOKEN ? array_of(token) : NULL;
    const size_t bytes = array ? gfortran_count(array) * array->dtype.elem_len : gfortran_usable_bytes(*pointer);
    if (!array || gfortran_has_components(array->dtype.type))
        gfortran_free_components(*pointer, bytes, array ? array->dtype.elem_len : bytes);
    gfortran_free(*pointer);
    *pointer = NULL;
}

void gfortran_free_components(char *from, size_t bytes, size_t object)
{
    for (size_t at = 0; at + sizeof(caf_token) <= bytes; at += sizeof(caf_token)) {
        const caf_token *token = (void *)(from + at);
        void **pointer;
        if (CAF_UNLIKELY(gfortran_is_component_token(*token)) &&
            (pointer = pointer_of(from + at / object * object, object, token)) != NULL)
            free_target(pointer, token);
    }
}

bool gfortran_hide_components(char *object, size_t bytes)
{
    bool any = false;
    for (size_t at = 0; at + sizeof(caf_token) <= bytes; at += sizeof(caf_token)) {
        caf_token *token = (void *)(object + at);
        void **pointer;
        if (CAF_UNLIKELY(gfortran_is_component_token(*token)) && (pointer = pointer_of(object, bytes, token)) != NULL) {
            *pointer = GFORTRAN_HIDDEN;
            if (kind_of(*token) == SCALAR_TOKEN)
                *token = (caf_token)SCALAR_TOKEN;
            any = true;
        }
    }
    return any;
}

/* --- leaks -------------------------------------------------------------------------------------------------------- */

void __lsan_register_root_region(const void *from, size_t bytes) __attribute__((weak));
void __lsan_unregister_root_region(const void *from, size_t bytes) __attribute__((weak));

static size_t bytes_with_record(const struct caf_coarray *c)
{
    return (size_t)(c->base + c->bytes - (const char *)c);
}

void gfortran_note_root(const struct caf_coarray *c)
{
    if (__lsan_register_root_region)
        __lsan_register_root_region(c, bytes_with_record(c));
}

void gfortran_forget_root(const struct caf_coarray *c)
{
    if (__lsan_unregister_root_region)
        __lsan_unregister_root_region(c, bytes_with_record(c));
}
