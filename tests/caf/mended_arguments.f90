! images: 1 2 3 4
! flags: -O2
! Arguments that gfortran passes wrongly, and the plugin corrects (src/caf/plugin/mend.cc): the image of sync images in
! a variable of another kind than 4, and sections of pointers to components in collective subroutines.
module mended_arguments_m
    use check_m, only: check
    implicit none
    type :: point
        integer :: x = -1, y = -1
        real :: weight = -1
        integer(1) :: tag = -1
    end type
    integer, save :: arrived(100)[*] = 0
contains
    subroutine meet(image, round)
        integer(2), intent(in) :: image
        integer, intent(in) :: round
        arrived(round)[image] = 10 * round + this_image()
        sync images (image)
        call check(arrived(round), 10 * round + image, 'the value of the other image')
    end subroutine

    subroutine meetings
        integer(1) :: bytes(4)
        integer(8) :: long
        integer :: i, me
        me = this_image()
        bytes = [1_1, 120_1, 121_1, 122_1]      ! as 4 bytes, not an image's number
        do i = 2, num_images()
            if (me /= 1 .and. me /= i) cycle
            bytes(1) = merge(int(i, 1), 1_1, me == 1)
            long = bytes(1)
            sync images (bytes(1))
            sync images (bytes(1) + 0_1)
            sync images (long)
            call meet(int(long, 2), i)
        end do
    end subroutine

    ! The points that this image's sections do not name keep their values.
    subroutine sections(n)
        integer, intent(in) :: n
        type(point), target :: line(7), plane(4, 3)
        integer, pointer :: p(:), q(:, :)
        real, pointer :: w(:)
        integer(1), pointer :: t(:)
        integer :: i
        line%x = [(100 * this_image() + i, i = 1, 7)]
        plane%y = reshape([(100 * this_image() + i, i = 1, 12)], [4, 3])
        line%weight = 1
        p => line%x
        call co_broadcast(p(2:4), num_images())
        call check(all(line([1, 5, 6, 7])%x == 100 * this_image() + [1, 5, 6, 7]), 'points beside the broadcast')
        call check(all(line(2:4)%x == 100 * num_images() + [2, 3, 4]), 'broadcast points')
        q => plane%y
        call co_max(q(n:4:2, 2:3))
        call check(all(plane([2, 4], 2:3)%y == 100 * num_images() + reshape([6, 8, 10, 12], [2, 2])), 'largest')
        call check(all(plane([1, 3], :)%y == 100 * this_image() + reshape([1, 3, 5, 7, 9, 11], [2, 3])), 'others')
        w => line(3:)%weight
        call co_sum(w(5:n:-1))
        call check(all(nint(line%weight) == [1, 1, 1, num_images(), num_images(), num_images(), num_images()]), 'sum')
        line%tag = [(int(10 * this_image() + i, 1), i = 1, 7)]
        t => line%tag
        call co_broadcast(t(3:5), num_images())
        call check(all(line([1, 2, 6, 7])%tag == 10 * this_image() + [1, 2, 6, 7]), 'bytes beside the broadcast')
        call check(all(line(3:5)%tag == 10 * num_images() + [3, 4, 5]), 'broadcast bytes')
        call check(all(line%y == -1) .and. all(plane%x == -1), 'other components')
        p => line(:)%y
        call co_sum(p)
        call check(all(line%y == -num_images()), 'a whole pointer')
    end subroutine
end module

program mended_arguments
    use mended_arguments_m
    use check_m, only: check_end
    implicit none
    call meetings
    call sections(2)
    call check_end
end program
