!> The exchange by coarrays: an image assigns its sums to a neighbour's part of a coarray and then posts an event.
module coarrays
    use, intrinsic :: iso_fortran_env, only: dp => real64, event_type
    implicit none
    real(dp), allocatable, target :: arrived(:, :)[:]    ! for even and for odd steps
    type(event_type), allocatable :: here(:)[:]          ! one for each image
end module

! gfortran 15 and 16 cannot compile a module procedure that accesses a coarray by host association: each procedure
! itself uses the module of the coarrays.
module exchange
    use, intrinsic :: iso_c_binding, only: c_loc, c_ptr
    use, intrinsic :: iso_fortran_env, only: dp => real64
    implicit none
    private
    public :: join, connect, begin_step, send, take, end_step, meet, stop_all, leave

    integer, allocatable :: images(:), firsts(:), theres(:), lengths(:)
    integer :: next, now

contains

    subroutine join(me, pes)
        integer, intent(out) :: me, pes
        me = this_image() - 1
        pes = num_images()
    end subroutine

    subroutine connect(pes, links, pe, first, there, length, most)
        use coarrays, only: arrived, here
        integer, intent(in) :: pes, links, pe(links), first(links), there(links), length(links), most
        images = pe + 1
        firsts = first
        theres = there
        lengths = length
        allocate (arrived(max(most, 1), 0:1)[*], here(pes)[*])
    end subroutine

    subroutine begin_step(step)
        integer, intent(in) :: step
        now = mod(step, 2)
        next = 0
    end subroutine

    subroutine send(l, values)
        use coarrays, only: arrived, here
        integer, intent(in) :: l
        real(dp), intent(in) :: values(lengths(l))
        arrived(theres(l) + 1:theres(l) + lengths(l), now)[images(l)] = values
        event post (here(this_image())[images(l)])
    end subroutine

    subroutine take(l, values)
        use coarrays, only: arrived, here
        integer, intent(out) :: l
        type(c_ptr), intent(out) :: values
        next = next + 1
        l = next
        event wait (here(images(l)))
        values = c_loc(arrived(firsts(l) + 1, now))
    end subroutine

    subroutine end_step()
    end subroutine

    subroutine meet()
        sync all
    end subroutine

    subroutine stop_all()
        error stop
    end subroutine

    subroutine leave()
    end subroutine
end module
