! images: 1 3 4
! flags: -Wno-character-truncation
! Puts of strings of another length to components. gfortran 15 and 16 pass the length of a constant and of a dummy
! argument of assumed length to the accessor; a variable's length is a constant in the accessor.
program component_strings
    use check_m, only: check_end, neighbour
    use values_m, only: expect
    implicit none
    type names
        character(7) :: one, three(3)
        character(7), allocatable :: more(:)
    end type
    type(names), save :: a[*]
    allocate (a%more(2))
    a%one = '.......'
    a%three = '.......'
    a%more = '.......'
    sync all
    call put('f', 'ghijklmno')
    call check_end
contains
    subroutine put(short, long)
        character(*), intent(in) :: short, long
        integer :: right
        right = neighbour(1)
        a[right]%one = 'abc'
        a[right]%three(1) = 'de'
        a[right]%three(2) = short
        a[right]%three(3) = long
        a[right]%more(2) = short
        sync all
        call expect(a%one, 'abc    ', 'put of a constant')
        call expect(a%three, ['de     ', 'f      ', 'ghijklm'], 'puts to elements')
        call expect(a%more, ['.......', 'f      '], 'put to an allocatable component')
        sync all
        a[right]%three(:) = short
        a[right]%one = 'pqrstuvwxyz'
        sync all
        call expect(a%three, ['f      ', 'f      ', 'f      '], 'put to all elements')
        call expect(a%one, 'pqrstuv', 'put of a longer constant')
    end subroutine
end program
