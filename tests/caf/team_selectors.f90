! images: 1 2 3 4 5 7 8
! compilers: 16
! Image selectors with team= and team_number=, in gets and puts of scalars, sections, components and characters, to and
! from the parent team, the initial team and sibling teams; stat= beside them; queries about a coarray in another team.
module selectors_data_m
    implicit none
    type :: tree
        integer(8) :: id
        integer, allocatable :: v(:)
    end type
    integer(8), save :: a[*], v(10)[*], m(2, 3)[2, *]
    character(6), save :: words(3)[*]
    type(tree), save :: oak[*]
end module

! Each procedure uses this module, because gfortran 15 and 16 cannot access a coarray of the procedure's own module.
module team_selectors_m
    use, intrinsic :: iso_fortran_env, only: team_type, initial_team, parent_team, current_team
    use check_m, only: check, check_end
    use values_m, only: value, expect
    implicit none
contains
    ! Teams 1, 2 and 3 of every third image, with indices in reverse order.
    integer function third_of(image)
        integer, intent(in) :: image
        third_of = 1 + mod(image - 1, 3)
    end function

    integer function members(number, n)
        integer, intent(in) :: number, n
        members = (n - number) / 3 + 1
    end function

    integer function index_of(image, n)
        integer, intent(in) :: image, n
        index_of = members(third_of(image), n) - (image - 1) / 3
    end function

    subroutine fill(me)
        use selectors_data_m
        integer, intent(in) :: me
        integer :: i
#include "team_values.inc"
    end subroutine

    ! Gets the value on an image of the initial team by the image's index in a team.
    subroutine compare(x, s, z, word, id, k, image, what)
        integer(8), intent(in) :: x, s(4), z(2), id
        character(*), intent(in) :: word, what
        integer, intent(in) :: k, image
        character(6) :: expected
        call expect(x, value(image, 1, 1_8), 'scalar, ' // what)
        call expect(s, value(image, [9, 7, 5, 3], 1_8), 'section, ' // what)
        call expect(z, value(image, [22, 32], 1_8), 'column, ' // what)
        write (expected, '(i2, a, i2)') image, '-', 3
        call check(word == expected, 'string, ' // what // ': ' // word)
        call expect(id, value(image, 40, 1_8), 'component, ' // what)
        call expect(k, value(image, 5 + image, 1), 'allocatable component, ' // what)
    end subroutine

    subroutine gets
        use selectors_data_m
        type(team_type) :: third, initial
        integer :: me, n, image, k, i, state
        integer(8) :: x, s(4), z(2), id
        character(6) :: word
        me = this_image()
        n = num_images()
        call fill(me)
        initial = get_team()
        form team (third_of(me), third, new_index=index_of(me, n))
        sync all
        ! Uses a team that is not yet the current team.
        do image = 1, n
            if (third_of(image) /= third_of(me)) cycle
            i = index_of(image, n)
            x = a[i, team=third]
            call expect(x, value(image, 1, 1_8), 'get in a team formed here')
        end do
        change team (third)
            do image = 1, n
                state = 77
                x = a[image, team=initial, stat=state]
                call check(state, 0, 'stat= beside team=')
                s = v(9:2:-2)[image, team=initial]
                z = m(:, 2)[1 + mod(image - 1, 2), (image + 1) / 2, team=initial]
                word = words(3)[image, team=initial]
                id = oak[image, team=initial]%id
                k = oak[image, team=initial]%v(5 + image)
                call compare(x, s, z, word, id, k, image, 'team= the initial one')
                i = index_of(image, n)
                k = third_of(image)
                x = a[i, team_number=k]
                s = v(9:2:-2)[i, team_number=k]
                z = m(:, 2)[1 + mod(i - 1, 2), (i + 1) / 2, team_number=k]
                word = words(3)[i, team_number=k]
                id = oak[i, team_number=k]%id
                k = oak[i, team_number=k]%v(5 + image)
                call compare(x, s, z, word, id, k, image, 'team_number= a sibling''s')
            end do
        end team
        sync all
    end subroutine

    ! Each image puts to the next image in the initial team, by each kind of selector in turn.
    subroutine puts
        use selectors_data_m
        type(team_type) :: third, inner, initial
        integer :: me, n, next, last, round, i, k
        me = this_image()
        n = num_images()
        next = 1 + mod(me, n)
        last = 1 + modulo(me - 2, n)
        initial = get_team()
        form team (third_of(me), third, new_index=index_of(me, n))
        do round = 1, 3
            call fill(me)
            sync all
            change team (third)
                form team (1, inner)
                if (round == 2) then
                    i = index_of(next, n)
                    k = third_of(next)
                    a[i, team_number=k] = value(me, 51, 1_8)
                    v(2:8:3)[i, team_number=k] = value(me, [52, 53, 54], 1_8)
                    m(2, :)[1 + mod(i - 1, 2), (i + 1) / 2, team_number=k] = value(me, [55, 56, 57], 1_8)
                    words(2)[i, team_number=k] = 'put'
                    oak[i, team_number=k]%v(3) = value(me, 58, 1)
                    a[i, team_number=k] = a[i, team_number=k] + 1
                else
                    change team (inner)
                        a[next, team=initial] = value(me, 51, 1_8)
                        v(2:8:3)[next, team=initial] = value(me, [52, 53, 54], 1_8)
                        m(2, :)[1 + mod(next - 1, 2), (next + 1) / 2, team=initial] = value(me, [55, 56, 57], 1_8)
                        words(2)[next, team=initial] = 'put'
                        oak[next, team=initial]%v(3) = value(me, 58, 1)
                        a[next, team=initial] = a[next, team=initial] + 1
                    end team
                end if
            end team
            sync all
            call expect(a, value(last, 51, 1_8) + 1, 'put of a scalar')
            call expect(v(2:8:3), value(last, [52, 53, 54], 1_8), 'put of a section')
            call expect(v([1, 3, 4, 6, 7, 9]), value(me, [1, 3, 4, 6, 7, 9], 1_8), 'beside a section')
            call expect(m(2, :), value(last, [55, 56, 57], 1_8), 'put of a row')
            call expect(m(1, :), value(me, [21, 22, 23], 1_8), 'a row that was not put')
            call check(words(2) == 'put', 'put of a string')
            call expect(oak%v(3), value(last, 58, 1), 'put to an allocatable component')
            sync all
        end do
    end subroutine

    ! this_image, image_index, coshape and failed_images with a team or a coarray.
    subroutine questions
        use selectors_data_m
        type(team_type) :: third, initial
        integer :: me, n, k(2), here
        integer, allocatable :: none(:)
        me = this_image()
        n = num_images()
        initial = get_team()
        form team (third_of(me), third, new_index=index_of(me, n))
        here = index_of(me, n)
        call check(this_image(a, 1, third), here, 'this_image(a, dim, team)')
        k(:1) = this_image(a, third)
        call check(k(1), here, 'this_image(a, team)')
        k = this_image(m, third)
        call check(all(k == [1 + mod(here - 1, 2), (here + 1) / 2]), 'this_image(m, team)')
        call check(this_image(m, 2, third), (here + 1) / 2, 'this_image(m, 2, team)')
        call check(image_index(m, [1, 1], third), 1, 'image_index(m, sub, team)')
        call check(image_index(a, [n + 1]), 0, 'image_index of none')
        k(:1) = coshape(a)
        call check(k(1), n, 'coshape')
        k = coshape(m)
        call check(all(k == [2, (n + 1) / 2]), 'coshape with two codimensions')
        none = failed_images(third)
        call check(size(none), 0, 'failed_images(team)')
        none = stopped_images(third)
        call check(size(none), 0, 'stopped_images(team)')
        call check(image_status(here, third), 0, 'image_status(image, team)')
        change team (third)
            call check(this_image(a, 1), here, 'this_image(a, dim) in a team')
            call check(this_image(a, 1, initial), me, 'this_image(a, dim, team) of the initial team')
            call check(image_status(n, initial), 0, 'image_status of the initial team')
            k(:1) = coshape(a)
            call check(k(1), num_images(), 'coshape in a team')
        end team
    end subroutine
end module

program team_selectors
    use team_selectors_m
    implicit none
    call gets
    call puts
    call questions
    call check_end
end program
