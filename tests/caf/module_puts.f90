! images: 1 2 3 4 5 7 8
! flags: -O2
! Coindexed accesses in procedures of the module that has the coarrays, or of a module that uses it.
module module_puts_data_m
    implicit none
    type :: node
        integer :: id, row(4)
        integer, allocatable :: more(:)
    end type
    integer, save :: scalar[*], line(10)[*], other[*]
    character(8), save :: word[*], words(3)[*]
    type(node), save :: tree[*]
    integer, allocatable :: late(:)[:]
contains
    subroutine put_to(image, values)
        integer, intent(in) :: image, values(10)
        scalar[image] = values(1)
        line(3)[image] = values(2)
        line(4:10:2)[image] = values(3:6)
        word[image] = 'abc'
        words(2)[image] = 'longer'
        tree[image]%id = values(7)
        tree[image]%row = values(4:7)
        tree[image]%more(2) = values(8)
        late(:)[image] = values
    end subroutine

    subroutine copy_to(image)
        integer, intent(in) :: image
        other[image] = scalar[image]
    end subroutine
end module

module module_puts_m
    use module_puts_data_m
    use check_m, only: check, neighbour
    implicit none
    integer, save :: own(5)[*]
contains
    subroutine put_both(image, values)
        integer, intent(in) :: image, values(10)
        own(:)[image] = values(1:5)
        line(1)[image] = values(9)
    end subroutine

    subroutine fill
        integer :: i
        scalar = 0
        other = 0
        own = 0
        line = [(-i, i = 1, 10)]
        word = '--------'
        words = '--------'
        tree%id = 0
        tree%row = 0
        tree%more = [1, 2, 3]
        late = 0
    end subroutine

    subroutine compare
        integer :: i, v(10)
        v = [(100 * neighbour(-1) + i, i = 1, 10)]
        call check(scalar, v(1), 'scalar')
        call check(other, v(1), 'scalar, coindexed on both sides')
        call check(all(line == [v(9), -2, v(2), v(3), -5, v(4), -7, v(5), -9, v(6)]), 'elements and section')
        call check(all(own == v(1:5)), 'coarray of a module that uses another')
        call check(word == 'abc', 'string')
        call check(all(words == [character(8) :: '--------', 'longer', '--------']), 'element of strings')
        call check(tree%id == v(7) .and. all(tree%row == v(4:7)), 'components')
        call check(all(tree%more == [1, v(8), 3]), 'allocatable component')
        call check(all(late == v), 'allocatable coarray')
    end subroutine
end module

program module_puts
    use module_puts_m
    use check_m, only: check_end
    implicit none
    integer :: i, turn
    allocate (late(10)[*])
    do turn = 1, 3
        call fill
        sync all
        call put_to(neighbour(1), [(100 * this_image() + i, i = 1, 10)])
        call put_both(neighbour(1), [(100 * this_image() + i, i = 1, 10)])
        call copy_to(neighbour(1))
        sync all
        call compare
        sync all
    end do
    call check_end
end program
