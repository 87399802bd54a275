! pes: 1 2 4 7
! The routines on addresses: every size, with and without a context; memory from shmem_malloc; an address and an array
! in one call.
#define X_QUOTED(A) 'A'
module address_tests
    use, intrinsic :: iso_c_binding
    use shmem
    use checks
    use, intrinsic :: iso_fortran_env, only: int8, int64
    implicit none
    integer, parameter :: block = 96
    integer :: me, npes, right, left
    type(shmem_ctx_t) :: ctx
    type(c_ptr) :: there, mine
    integer(int8), pointer :: bytes(:)
    integer(int8), target :: here(4 * block), back(4 * block)
    integer(int64), asynchronous :: signal = 0

contains

    ! Byte i of the data that a PE sends.
    integer(int8) elemental function byte(pe, i)
        integer, intent(in) :: pe, i
        byte = int(seed(pe, i), int8)
    end function

    subroutine clear()
        call shmem_barrier_all()
        bytes = 125
        back = 124
        call shmem_barrier_all()
    end subroutine

#define X_BITS mem
#define X_BYTES 1
#include "address_test.inc"
#undef X_BITS
#undef X_BYTES
#define X_STRIDED
#define X_BITS 8
#define X_BYTES 1
#include "address_test.inc"
#undef X_BITS
#undef X_BYTES
#define X_BITS 16
#define X_BYTES 2
#include "address_test.inc"
#undef X_BITS
#undef X_BYTES
#define X_BITS 32
#define X_BYTES 4
#include "address_test.inc"
#undef X_BITS
#undef X_BYTES
#define X_BITS 64
#define X_BYTES 8
#include "address_test.inc"
#undef X_BITS
#undef X_BYTES
#define X_BITS 128
#define X_BYTES 16
#include "address_test.inc"

    ! One argument is an address, the other is data of any type, which determines the size of elements.
    subroutine test_mixed()
        type particle
            real(8) :: at(3)
            integer :: kind
        end type
        type(particle), save :: sent, got, kept
        real(8) :: x(6), y(6)
        integer :: i

        x = [(seed(me, i) / 16d0, i=1, 6)]
        call clear()
        call shmem_put(there, x, 6, right)
        call shmem_barrier_all()
        call shmem_get(y, there, 6, me)
        call check(all(y == [(seed(left, i) / 16d0, i=1, 6)]), 'put to an address, get from one')
        call shmem_barrier_all()
        call shmem_iput(there, x(1), 2, 3, 2, right)
        call shmem_barrier_all()
        call shmem_get(y, there, 3, me)
        call check(y(1) == seed(left, 1) / 16d0 .and. y(3) == seed(left, 4) / 16d0, 'iput to an address')

        ! Elements of a derived type, with a size for which C has no routine.
        sent = particle([(seed(me, i) / 16d0, i=1, 3)], seed(me, 4))
        call shmem_put(kept, sent, 1, right)
        call shmem_barrier_all()
        call shmem_get(got, kept, 1, right)
        call check(all(got%at == sent%at) .and. got%kind == sent%kind, 'a derived type')
        call check(all(kept%at == [(seed(left, i) / 16d0, i=1, 3)]) .and. kept%kind == seed(left, 4), &
            'a derived type kept')
    end subroutine

    subroutine test_collectives()
        integer :: i
        call clear()
        bytes(1:2 * npes) = [(byte(me, i), i=1, 2 * npes)]
        call check(shmem_fcollectmem(SHMEM_TEAM_WORLD, at(100), at(0), 2_c_size_t) == 0, 'fcollectmem returns')
        do i = 0, npes - 1
            call check(all(bytes(101 + 2 * i:102 + 2 * i) == [byte(i, 1), byte(i, 2)]), 'fcollectmem', i)
        end do
        call check(shmem_collectmem(SHMEM_TEAM_WORLD, at(200), at(0), int(1 + mod(me, 2), c_size_t)) == 0, &
            'collectmem returns')
        call check(bytes(201) == byte(0, 1), 'collectmem')
        if (npes > 1) call check(all(bytes(202:203) == [byte(1, 1), byte(1, 2)]), 'collectmem of the second')
        call check(shmem_alltoallmem(SHMEM_TEAM_WORLD, at(100), at(0), 2_c_size_t) == 0, 'alltoallmem returns')
        do i = 0, npes - 1
            call check(all(bytes(101 + 2 * i:102 + 2 * i) == [byte(i, 2 * me + 1), byte(i, 2 * me + 2)]), &
                'alltoallmem', i)
        end do
        call check(shmem_alltoallsmem(SHMEM_TEAM_WORLD, at(200), at(0), 3_c_ptrdiff_t, 2_c_ptrdiff_t, &
            1_c_size_t) == 0, &
            'alltoallsmem returns')
        do i = 0, npes - 1
            call check(bytes(201 + 3 * i) == byte(i, 2 * me + 1), 'alltoallsmem', i)
        end do
        call check(shmem_broadcastmem(SHMEM_TEAM_WORLD, at(100), at(0), 5_c_size_t, npes - 1) == 0, &
            'broadcastmem returns')
        call check(all(bytes(101:105) == [(byte(npes - 1, i), i=1, min(5, 2 * npes)), (125_int8, i=2 * npes + 1, 5)]), &
            'broadcastmem')
    end subroutine

    type(c_ptr) function at(offset)
        integer, intent(in) :: offset
        at = c_loc(bytes(offset + 1))
    end function

    subroutine test_memory()
        type(c_ptr) :: p, q
        integer(int64), pointer :: a(:)
        integer(int64) :: i8
        p = shmem_calloc(10_c_size_t, 8_c_size_t)
        call c_f_pointer(p, a, [10])
        call check(all(a == 0), 'shmem_calloc')
        a = [(int(me, int64) * 1000 + i8, i8 = 1_int64, 10_int64)]
        p = shmem_realloc(p, 4000_c_size_t)
        call c_f_pointer(p, a, [500])
        call check(all(a(:10) == [(int(me, int64) * 1000 + i8, i8 = 1_int64, 10_int64)]), 'shmem_realloc')
        q = shmem_align(4096_c_size_t, 100_c_size_t)
        call check(mod(transfer(q, 0_c_intptr_t), 4096_c_intptr_t) == 0, 'shmem_align')
        call check(shmem_addr_accessible(q, right) == 1, 'shmem_addr_accessible')
        call shmem_free(q)
        call shmem_free(p)
        p = shmem_malloc_with_hints(64_c_size_t, ior(SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE))
        call check(c_associated(p), 'shmem_malloc_with_hints')
        call shmem_free(p)
    end subroutine
end module

program addresses
    use address_tests
    implicit none

    call shmem_init()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    right = mod(me + 1, npes)
    left = mod(me + npes - 1, npes)
    there = shmem_malloc(int(4 * block, c_size_t))
    call check(c_associated(there), 'shmem_malloc')
    call c_f_pointer(there, bytes, [4 * block])
    call check(shmem_ctx_create(SHMEM_CTX_SERIALIZED, ctx) == 0, 'shmem_ctx_create')
    call test_mem
    call test_8
    call test_16
    call test_32
    call test_64
    call test_128
    call test_mixed
    call test_collectives
    call test_memory
    call shmem_ctx_destroy(ctx)
    call shmem_free(there)
    call check_end()
    call shmem_finalize()
end program
