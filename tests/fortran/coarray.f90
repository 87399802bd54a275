! pes: 1 2 4 7
! flags: -fcoarray=single
! The local part of a coarray is ordinary data. Coarrays are compiled for a single image here, so that static coarrays
! are symmetric like all static variables.
program coarray
    use, intrinsic :: iso_c_binding
    use shmem
    use checks
    implicit none
    real(8), save, asynchronous :: field(0:5, 3)[*]
    type cell
        complex(8) :: z
        character(len=3) :: tag
    end type
    type(cell), save :: cells(4)[*]
    integer :: me, npes, right, left, i, failed

    call shmem_init()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    right = mod(me + 1, npes)
    left = mod(me + npes - 1, npes)
    field = -1
    call shmem_barrier_all()
    call put_row(field)
    call shmem_barrier_all()
    call check(all(field(:, 3) == [(left + i / 8d0, i=0, 5)]), 'a column of a coarray')
    call check(all(field(:, 1:2) == -1), 'the other columns')
    cells = cell((0d0, 0d0), '')
    call shmem_barrier_all()
    call shmem_put(cells(2:3), [cell((1d0, 2d0) * me, 'abc'), cell((3d0, 4d0) * me, 'xyz')], 2, right)
    call shmem_barrier_all()
    call check(cells(3)%z == (3d0, 4d0) * left .and. cells(3)%tag == 'xyz' .and. cells(1)%tag == '', &
        'cells of a coarray')
    failed = shmem_sum_reduce(SHMEM_TEAM_WORLD, field(:, 2), field(:, 3), 6)
    call check(failed == 0 .and. all(field(:, 2) == [(npes * (npes - 1) / 2 + npes * i / 8d0, i=0, 5)]), 'a sum')
    call check_end()
    call shmem_finalize()

contains

    subroutine put_row(f)
        real(8), intent(inout), asynchronous :: f(0:, :)[*]
        real(8) :: row(0:5)
        row = [(me + i / 8d0, i=0, 5)]
        call shmem_put(f(:, 3), row, 6, right)
    end subroutine
end program
