/* The library's routines that gfortran 15 and 16 call, for programs that make the same calls. */
#pragma once

#include "caf/gfortran/accessor/accessor.h"

void _gfortran_caf_init(int *argc, char ***argv);
void _gfortran_caf_finalize(void);
void _gfortran_caf_register(size_t size, int type, caf_token *token, struct gfortran_descriptor *d, int *stat,
                            char *errmsg, size_t errmsg_len);
void _gfortran_caf_register_accessor(int hash, void (*function)(void));
void _gfortran_caf_register_accessors_finish(void);
int _gfortran_caf_get_remote_function_index(int hash);
void _gfortran_caf_get_from_remote(caf_token token, const struct gfortran_descriptor *src, const size_t *src_length,
                                   int image, size_t dst_size, void **dst_data, size_t *dst_length,
                                   struct gfortran_descriptor *dst, bool may_realloc_dst, int index, void *add_data,
                                   size_t add_bytes, int *stat, const void *team, const int32_t *team_number);
void _gfortran_caf_send_to_remote(caf_token token, const struct gfortran_descriptor *dst, const size_t *dst_length,
                                  int image, size_t src_size, const void *src_data, const size_t *src_length,
                                  const struct gfortran_descriptor *src, int index, void *add_data, size_t add_bytes,
                                  int *stat, const void *team, const int32_t *team_number);
void _gfortran_caf_sync_all(int *stat, char *errmsg, size_t errmsg_len);
