/* Teams (9.4).
 *
 * A team is an ordered set of PEs, which are numbered in the team from 0.  SHMEM_TEAM_WORLD contains all PEs.
 * SHMEM_TEAM_SHARED contains the PEs of the calling PE's node, for which shmem_ptr returns addresses.
 *
 * config_mask: the members of config that apply: 0, or SHMEM_TEAM_NUM_CONTEXTS */

/* team_my_pe, team_n_pes: number of this PE in a team, and size of the team (9.4.1, 9.4.2; since 1.5).
 *
 * team: a team that the calling PE is in, or SHMEM_TEAM_INVALID
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: the number, from 0, and the size; both are -1 for SHMEM_TEAM_INVALID. */
COPAL_DECL(int, team_my_pe, (shmem_team_t team))
COPAL_DECL(int, team_n_pes, (shmem_team_t team))

/* team_get_config: configuration of a team (9.4.4; since 1.5).
 *
 * config: any memory of the calling PE; its members that config_mask names get the team's values; with a mask of 0 it
 * may be NULL
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: 0, or nonzero if team is SHMEM_TEAM_INVALID. */
COPAL_DECL(int, team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config))

/* team_translate_pe: number of a PE in another team (9.4.5; since 1.5).
 *
 * src_team: the team to which the number belongs
 * src_pe: a PE's number in it
 * dest_team: the team of the result; SHMEM_TEAM_WORLD gives the number in the job
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: the number in dest_team, or -1 if the PE is not in it, src_pe is not in src_team, or a team is
 * SHMEM_TEAM_INVALID. */
COPAL_DECL(int, team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team))

/* team_split_strided: make a team of every stride-th PE of another (9.4.6; since 1.5).
 *
 * The new team has size PEs of the parent: start, start + stride, start + 2 * stride and so on, in this order.
 * Collective over the parent team, also for PEs that are not in the new team.
 *
 * parent_team: the team to split
 * start: number in the parent of the first PE of the new team
 * stride: from one PE to the next; it may be negative, and 0 if size is 1
 * size: number of PEs of the new team
 * config: any memory of the calling PE: how the team will be used, in the members that config_mask names; NULL if
 * the mask is 0
 * new_team: any memory of the calling PE; gets the team: SHMEM_TEAM_INVALID on PEs that are not in it, and everywhere
 * on failure
 *
 * On return: the team may be used on all its PEs.
 *
 * Returns: 0, or on all PEs nonzero: for PEs that the parent does not have, for a parent that is SHMEM_TEAM_INVALID,
 * and if the maximum number of teams exists. */
COPAL_DECL(int, team_split_strided, (shmem_team_t parent_team, int start, int stride, int size,
                                     const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team))

/* team_split_2d: make teams of the rows and columns of a grid of PEs (9.4.7; since 1.5).
 *
 * Arranges the parent team in rows of xrange PEs; the last row may be shorter.  PE i of the parent is in column i
 * modulo xrange of row i / xrange.  Collective over the parent team.
 *
 * parent_team: the team to arrange
 * xrange: PEs in a row; a larger number than the size of the parent counts as that size
 * xaxis_config, yaxis_config: any memory of the calling PE: how the teams will be used, in the members that the
 * masks name; NULL if the mask is 0
 * xaxis_mask, yaxis_mask: the members of these that apply: 0, or SHMEM_TEAM_NUM_CONTEXTS
 * xaxis_team: any memory of the calling PE; gets the team of the PE's row; the PE's number in it is the PE's column
 * yaxis_team: any memory of the calling PE; gets the team of the PE's column; the PE's number in it is the PE's row
 *
 * On return: both teams may be used on all their PEs.
 *
 * Returns: 0, or on all PEs nonzero, and both teams are SHMEM_TEAM_INVALID. */
COPAL_DECL(int, team_split_2d, (shmem_team_t parent_team, int xrange,
                                const shmem_team_config_t *xaxis_config, long xaxis_mask, shmem_team_t *xaxis_team,
                                const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team))

/* team_destroy: end a team (9.4.8; since 1.5).
 *
 * Collective over the team.  Contexts that were made from it end, too, after their operations.
 *
 * team: a team that a split made, or SHMEM_TEAM_INVALID, which does nothing; predefined teams cannot be ended
 *
 * On return: the team and the calling PE's contexts of it are gone, and the operations on these are complete. */
COPAL_DECL(void, team_destroy, (shmem_team_t team))
