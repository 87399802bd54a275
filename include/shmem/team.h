/* Teams (9.4): ordered sets of PEs.  A PE's number in a team counts from 0 in the order of the team. */

/* This PE's number in the team and the team's size; -1 for SHMEM_TEAM_INVALID (9.4.1, 9.4.2). */
COPAL_DECL(int, team_my_pe, (shmem_team_t team))
COPAL_DECL(int, team_n_pes, (shmem_team_t team))

/* The members of *config named by config_mask (SHMEM_TEAM_NUM_CONTEXTS) get the team's values.
 * Returns 0, or nonzero if it could not be done (9.4.4). */
COPAL_DECL(int, team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config))

/* The number in dest_team of PE src_pe of src_team, or -1 if it is not there or an argument is invalid (9.4.5). */
COPAL_DECL(int, team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team))

/* A new team of PEs start, start + stride, ... (size of them) of parent_team; collective over parent_team.
 * *new_team is SHMEM_TEAM_INVALID on the other PEs, and everywhere on failure.  config may be NULL when config_mask
 * is 0.  Returns 0, or nonzero on failure (9.4.6). */
COPAL_DECL(int, team_split_strided, (shmem_team_t parent_team, int start, int stride, int size,
                                     const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team))

/* Lay parent_team out in rows of xrange PEs; *xaxis_team gets this PE's row and *yaxis_team its column.
 * Collective over parent_team.  Returns 0, or nonzero on failure (9.4.7). */
COPAL_DECL(int, team_split_2d, (shmem_team_t parent_team, int xrange,
                                const shmem_team_config_t *xaxis_config, long xaxis_mask, shmem_team_t *xaxis_team,
                                const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team))

/* End a team made by a split, and the contexts made from it; collective over the team (9.4.8). */
COPAL_DECL(void, team_destroy, (shmem_team_t team))
