! pes: 1 2 4 7
! flags: -ffree-line-length-none
! The classic interface: puts and gets to and from the right neighbour, of every type and every size of an element, of
! bytes and of characters.
#define X_QUOTED(A) 'A'
module classic_rma_tests
    use checks
    implicit none
    include 'mpp/shmem.fh'
    integer, parameter :: n = 10
    integer :: me, npes, right, left

contains

#define X_TEMPLATE "classic_rma_test.inc"
#include "types_classic.inc"
#undef X_TEMPLATE

    ! Counts of bytes and of characters, whatever the length of the variables.
    subroutine test_characters
        character(8), save :: word = '--------', bytes = '--------'
        character(8) :: words(2) = '********'
        call shmem_barrier_all
        call shmem_character_put(word, 'ABCDEFGH', 5, right)
        call shmem_putmem(bytes, 'abcdefgh', 3, right)
        call shmem_barrier_all
        call check(word == 'ABCDE---' .and. bytes == 'abc-----', 'put of characters and bytes')
        call shmem_barrier_all
        call shmem_character_put_nbi(word(6:), 'xyz', 2, right)
        call shmem_putmem_nbi(bytes(4:), 'uvw', 2, right)
        call shmem_quiet
        call shmem_barrier_all
        call check(word == 'ABCDExy-' .and. bytes == 'abcuv---', 'put_nbi of characters and bytes')
        call shmem_character_get(words(1), word, 6, right)
        call shmem_getmem(words(2), bytes, 4, right)
        call check(words(1) == 'ABCDEx**' .and. words(2) == 'abcu****', 'get of characters and bytes')
        call shmem_character_get_nbi(words(1), word, 7, right)
        call shmem_getmem_nbi(words(2), bytes, 5, right)
        call shmem_quiet
        call check(words(1) == 'ABCDExy*' .and. words(2) == 'abcuv***', 'get_nbi of characters and bytes')
    end subroutine
end module

program classic_rma
    use classic_rma_tests
    implicit none
    integer my_pe, num_pes

    call start_pes(0)
    me = my_pe()
    npes = num_pes()
    right = mod(me + 1, npes)
    left = mod(me + npes - 1, npes)
#define X_TEMPLATE "classic_call.inc"
#include "types_classic.inc"
    call test_characters
    call check_end
    call shmem_finalize
end program
