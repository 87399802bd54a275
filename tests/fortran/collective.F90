! pes: 1 2 4 7
! Collectives on the world and on a team of every second PE: those that move data for every type, reductions and scans
! for every type that they accept.
#define X_LENGTH 5
#define X_QUOTED(A) 'A'
module collective_tests
    use, intrinsic :: iso_c_binding
    use shmem
    use checks
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128
    implicit none
    integer, parameter :: most = 7
    type(shmem_team_t) :: team
    integer :: me, npes, first, stride ! my number in the team, the team's size, its PEs in the world

contains

    ! The number in the world of PE i of the team; values are made from it.
    integer elemental function pe(i)
        integer, intent(in) :: i
        pe = first + i * stride
    end function

    ! Small numbers of both signs, and factors.
    integer elemental function small(pe, i)
        integer, intent(in) :: pe, i
        small = seed(pe, i) / 8
    end function

    integer elemental function factor(pe, i)
        integer, intent(in) :: pe, i
        factor = 1 + merge(1, 0, mod(pe + i, 3) == 0)
    end function

#define X_TEMPLATE "collective_test.inc"
#include "types_c.inc"
#include "types_fortran.inc"
#undef X_TEMPLATE
#define X_TEMPLATE "sum_test.inc"
#include "types_c.inc"
#define X_NAME complexf
#define X_TYPE complex(real32)
#include "sum_test.inc"
#include "undef.inc"
#define X_NAME complexd
#define X_TYPE complex(real64)
#include "sum_test.inc"
#include "undef.inc"
#undef X_TEMPLATE
#define X_TEMPLATE "order_test.inc"
#include "types_c.inc"
#undef X_TEMPLATE
#define X_NAME int8
#define X_TYPE integer(int8)
#include "bits_test.inc"
#include "undef.inc"
#define X_NAME int16
#define X_TYPE integer(int16)
#include "bits_test.inc"
#include "undef.inc"
#define X_NAME int32
#define X_TYPE integer(int32)
#include "bits_test.inc"
#include "undef.inc"
#define X_NAME int64
#define X_TYPE integer(int64)
#include "bits_test.inc"
#include "undef.inc"

    subroutine test_team()
        me = shmem_team_my_pe(team)
        npes = shmem_team_n_pes(team)
#define X_TEMPLATE "test_call.inc"
#include "types_c.inc"
#include "types_fortran.inc"
#undef X_TEMPLATE
#define X_TEMPLATE "sum_call.inc"
#include "types_c.inc"
#undef X_TEMPLATE
        call test_sum_complexf
        call test_sum_complexd
        call test_bits_int8
        call test_bits_int16
        call test_bits_int32
        call test_bits_int64
    end subroutine
end module

program collective
    use collective_tests
    implicit none

    call shmem_init()
    team = SHMEM_TEAM_WORLD
    first = 0
    stride = 1
    call test_team()
    first = mod(shmem_my_pe(), 2)
    stride = 2
    if (shmem_n_pes() == 1) team = SHMEM_TEAM_WORLD
    if (shmem_n_pes() > 1) call split()
    call test_team()
    call check_end()
    call shmem_finalize()

contains

    ! Both halves call both splits, and each keeps its own team.
    subroutine split()
        type(shmem_team_t) :: half(0:1)
        integer :: i
        do i = 0, 1
            call check(shmem_team_split_strided(SHMEM_TEAM_WORLD, i, 2, (shmem_n_pes() + 1 - i) / 2, &
                config_mask=0_c_long, new_team=half(i)) == 0, 'shmem_team_split_strided')
        end do
        team = half(first)
    end subroutine
end program
