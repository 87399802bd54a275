! images: 1 2 3
! flags: -O2 -Wno-caf
! Sections that are near accesses with gfortran 15 and 16: rows, strides of either sign, several dimensions, sections of
! allocatable components, scalars and conversions; with temporaries that are read in place, copied, or on this image.
module near_sections_m
    implicit none
    type parts
        real(8), allocatable :: p(:), q(:, :)
        real(8) :: w(2, 3)
    end type
    integer, save :: grid(6, 7)[*], line(12)[*]
    real(8), allocatable :: cube(:, :, :)[:]
    type(parts), save :: a[*]
end module

program near_sections
    use check_m, only: check, check_end
    use near_sections_m
    implicit none
    integer :: k
    allocate (cube(-1:1, 4, 5)[*], a%p(0:9), a%q(2:4, 3))
    do k = 1, num_images()
        call gets(k, 2, 5, -1)
        call puts(k, 2, 5, -2)
    end do
    call check_end

contains

    subroutine fill
        integer :: i
        sync all
        grid = 1000*this_image() + reshape([(i, i=1, 42)], [6, 7])
        line = 100*this_image() + [(i, i=1, 12)]
        cube = 1000*this_image() + reshape([(i, i=1, 60)], [3, 4, 5])
        a%p = 100*this_image() + [(i, i=0, 9)]
        a%q = 10*this_image() + reshape([(i, i=1, 9)], [3, 3])
        a%w = this_image() + 0.5d0
        sync all
    end subroutine

    integer function sum_of(v)
        integer, intent(in) :: v(:)
        sum_of = sum(v)
    end function

    subroutine gets(k, two, five, back)
        integer, intent(in) :: k, two, five, back
        integer :: i, j, row(7), r(12)
        real(8) :: v(4), w(3, 4), x(20)
        call fill
        row = grid(3, :)[k]
        call check(all(row == 1000*k + [(3 + 6*i, i=0, 6)]), "a row")
        row(1:4) = grid(two, two:five)[k]
        call check(all(row(1:4) == 1000*k + [8, 14, 20, 26]), "a part of a row")
        r = line(12:1:-1)[k]
        call check(all(r == 100*k + [(i, i=12, 1, -1)]), "backwards")
        r(1:2) = line(five:two:back*2)[k]
        call check(all(r(1:2) == 100*k + [5, 3]), "a stride that is a variable")
        r(1:4) = line(1:12:3)[k] + line(2:11:3)[k]
        call check(all(r(1:4) == 200*k + [3, 9, 15, 21]), "two in an expression")
        r = 0
        r(5:4) = line(two + 1:two)[k]
        call check(all(r == 0), "an empty section")
        call check(sum_of(line(two:five)[k]) == 400*k + 14, "an argument")
        w = cube(:, :, 5)[k]
        call check(all(nint(w) == 1000*k + reshape([(i, i=49, 60)], [3, 4])), "a plane")
        x = reshape(cube(0, :, :)[k], [20])
        call check(all(nint(x) == 1000*k + [(3*i + 2, i=0, 19)]), "a plane with strides")
        x(1:8) = reshape(cube(1:-1:-2, two:five - 1:2, 2:1:-1)[k], [8])
        call check(all(nint(x(1:8)) == 1000*k + [18, 16, 24, 22, 6, 4, 12, 10]), "strides in all dimensions")
        v = a[k]%p(two:five)
        call check(all(nint(v) == 100*k + [2, 3, 4, 5]), "a component")
        v = a[k]%p(five + 4:0:-3)
        call check(all(nint(v) == 100*k + [9, 6, 3, 0]), "a component backwards")
        v(1:3) = a[k]%q(3, :)
        call check(all(nint(v(1:3)) == 10*k + [2, 5, 8]), "a row of a component")
        v(1:2) = a[k]%w(:, 2)
        call check(all(nint(2*v(1:2)) == 2*k + 1), "a component that is not allocatable")
        j = 0
        do i = 1, 3
            j = j + nint(sum(a[k]%q(i + 1, :)))
        end do
        call check(j == 90*k + 45, "rows of a component in a loop")
        sync all
    end subroutine

    ! Each image in turn puts into the image k.
    subroutine puts(k, two, five, back)
        integer, intent(in) :: k, two, five, back
        integer :: i, from, s
        real(8) :: v(4)
        do from = 1, num_images()
            call fill
            if (this_image() == from) then
                v = [1, 2, 3, 4]
                s = 7
                grid(3, :)[k] = [(i, i=1, 7)]
                grid(1:2, 1)[k] = v(1:2)
                grid(4:6:2, two:five:3)[k] = reshape(int(v), [2, 2])
                line(five + 4:two:back)[k] = [1, 2, 3, 4]
                line(1:1)[k] = s
                line(10:12)[k] = 2.75
                cube(0, two, :)[k] = s
                cube(:, 4, 1)[k] = [1, 2, 3]
                cube(-1:1:2, 3:1:-2, 5)[k] = reshape(v, [2, 2])
                a[k]%p(two:five) = v
                a[k]%p(9:7:-1) = v(:3)
                a[k]%q(4, :) = v(2:)
                a[k]%w(2, :) = 0
                line(2:two - 1)[k] = v(1:0)
            end if
            sync all
            if (this_image() == k) then
                call check(all(grid(3, :) == [(i, i=1, 7)]) .and. all(grid(1:2, 1) == [1, 2]), "a row")
                call check(all([grid(4, 2), grid(6, 2), grid(4, 5), grid(6, 5)] == [1, 2, 3, 4]), "a grid")
                call check(all(line == [7, 100*k + 2, 4, 100*k + 4, 3, 100*k + 6, 2, 100*k + 8, 1, 2, 2, 2]), "lines")
                call check(all(nint(cube(0, 2, :)) == 7) .and. all(nint(cube(:, 4, 1)) == [1, 2, 3]), "a cube")
                call check(all(nint([cube(-1, 3, 5), cube(1, 3, 5), cube(-1, 1, 5), cube(1, 1, 5)]) == [1, 2, 3, 4]), &
                           "strides of a cube")
                call check(count(nint(cube) /= 1000*k + reshape([(i, i=1, 60)], [3, 4, 5])) == 12, "only those")
                call check(all(nint(a%p) == [100*k, 100*k + 1, 1, 2, 3, 4, 100*k + 6, 3, 2, 1]), "a component")
                call check(all(nint(a%q(4, :)) == [2, 3, 4]) .and. all(nint(a%q(2:3, 3)) == 10*k + [7, 8]), "its row")
                call check(all(nint(2*a%w(1, :)) == 2*k + 1) .and. all(nint(a%w(2, :)) == 0), "a fixed component")
            end if
            sync all
        end do
    end subroutine
end program
