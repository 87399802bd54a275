/* gfortran 16's differences from 15 in coindexed access. */
#include "../accessor/transfer.h"

__attribute__((constructor)) static void begin(void)
{
    accessor_tests_pointers = true;
}

GFORTRAN_API void _gfortran_caf_transfer_between_remotes(
    caf_token dst_token, const struct gfortran_descriptor *dst, const size_t *dst_length, int dst_image, int dst_index,
    void *dst_add_data, size_t dst_add_bytes, caf_token src_token, const struct gfortran_descriptor *src,
    const size_t *src_length, int src_image, int src_index, void *src_add_data, size_t src_add_bytes, size_t src_size,
    bool is_scalar, int *dst_stat, int *src_stat, const team_value *dst_team, const int32_t *dst_team_number,
    const team_value *src_team, const int32_t *src_team_number)
{
    struct access to = {.name = "put", .image = dst_image, .coarray = dst_token, .descriptor = dst,
                        .length = dst_length, .index = dst_index, .add_data = dst_add_data,
                        .add_bytes = dst_add_bytes};
    struct access from = {.name = "get", .image = src_image, .coarray = src_token, .descriptor = src,
                          .length = src_length, .index = src_index, .add_data = src_add_data,
                          .add_bytes = src_add_bytes};
    if (accessor_begin(&to, dst_team, dst_team_number, dst_stat) &&
        accessor_begin(&from, src_team, src_team_number, src_stat))
        accessor_transfer(&to, &from, src_size, is_scalar, src_stat);
}
