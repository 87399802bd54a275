!> A factorized panel is passed along the rows of the grid: each image stores it into the image to its right and posts
!> an event there. The receiver need not act until it needs the panel, so a panel that is sent early arrives while the
!> receiver computes.
!>
!> When an image has finished using a packet, it posts an event to the image to its left. The left image waits for this
!> event before it overwrites the packet with the next panel but one.
module ring
    use, intrinsic :: iso_fortran_env, only: event_type
    use grid
    use panel
    implicit none
    private
    public :: ring_start, send_panel, receive_panel, release_panel

    type(event_type), allocatable :: arrived(:)[:, :], released(:)[:, :]  ! of packets 1 and 2

contains

    subroutine ring_start()
        allocate (arrived(2)[0:npcol - 1, 0:*], released(2)[0:npcol - 1, 0:*])
    end subroutine

    !> Sends the panel to the image to the right, unless that image owns the panel.
    subroutine send_panel(x)
        type(panel_shape), intent(in) :: x
        integer :: right
        right = mod(mycol + 1, npcol)
        if (right == x%column) return
        if (x%number >= 2) event wait (released(x%slot + 1))
        call put(x%length, x%slot, right)
        event post (arrived(x%slot + 1)[right, myrow])
    contains
        ! An internal procedure, because gfortran 16 crashes if a module procedure has this put.
        subroutine put(length, slot, to)
            integer, intent(in) :: length, slot, to
            packet(1:length, slot)[to, myrow] = packet(1:length, slot)
        end subroutine
    end subroutine

    subroutine receive_panel(x)
        type(panel_shape), intent(in) :: x
        event wait (arrived(x%slot + 1))
        call send_panel(x)
    end subroutine

    !> Allows the image to the left to send the next panel of this packet, if that image sends that panel.
    subroutine release_panel(x)
        type(panel_shape), intent(in) :: x
        integer :: next
        next = x%number + 2
        if (next >= panels() .or. mod(next, npcol) == mycol) return
        event post (released(x%slot + 1)[modulo(mycol - 1, npcol), myrow])
    end subroutine
end module
