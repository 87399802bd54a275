!> The exchange by coarrays: an image assigns its sums to a neighbour's part of a coarray. Two images then post events
!> to each other. More images execute SYNC ALL, because an event post waits for assignments and posts to other images:
!> between nodes a round trip for each neighbour.
module coarrays
    use, intrinsic :: iso_fortran_env, only: dp => real64, event_type
    implicit none
    real(dp), allocatable, target :: arrived(:, :)[:]    ! for even and for odd steps
    type(event_type), allocatable :: here[:]             ! of two images
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
    logical :: is_pair

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
        is_pair = pes == 2
        allocate (arrived(max(most, 1), 0:1)[*], here[*])
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
        if (is_pair) event post (here[images(l)])
    end subroutine

    subroutine take(l, values)
        use coarrays, only: arrived, here
        integer, intent(out) :: l
        type(c_ptr), intent(out) :: values
        next = next + 1
        l = next
        if (is_pair) then
            event wait (here)
        else if (next == 1) then  ! on all images, since each has a neighbour
            sync all
        end if
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
