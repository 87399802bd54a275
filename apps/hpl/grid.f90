!> A grid of images, over which blocks of nb x nb elements are distributed cyclically.
!> The image in row r and column c of the grid (from 0) is image r * npcol + c + 1. Coarrays of the grid therefore have
!> the cobounds [0:npcol-1, 0:*], and x[c, r] is on that image. The images of each row are a team, and the images of
!> each column are a team. Indices of the matrix, and of an image's part of it, begin at 1.
module grid
    use, intrinsic :: iso_fortran_env, only: team_type
    implicit none
    private
    public :: grid_start, local_count, global_index, owner, best_rows

    integer, protected, public :: n                        !< unknowns; column n + 1 of the matrix is the right side
    integer, protected, public :: nb                       !< rows and columns of a block
    integer, protected, public :: nprow, npcol             !< rows and columns of the grid
    integer, protected, public :: myrow, mycol             !< this image's position in the grid, from 0
    integer, allocatable, protected, public :: column_peers(:)  !< the other images of this column
    type(team_type), protected, public :: row_team, column_team

contains

    subroutine grid_start(unknowns, block, rows, columns)
        integer, intent(in) :: unknowns, block, rows, columns
        integer :: r
        n = unknowns
        nb = block
        nprow = rows
        npcol = columns
        myrow = (this_image() - 1) / npcol
        mycol = mod(this_image() - 1, npcol)
        column_peers = pack([(r * npcol + mycol + 1, r = 0, nprow - 1)], [(r /= myrow, r = 0, nprow - 1)])
        form team (1 + myrow, row_team)
        form team (1 + mycol, column_team)
    end subroutine

    !> The number of those elements from 1 to last that the image at `place` (of `places`) along an axis has.
    pure integer function local_count(last, place, places)
        integer, intent(in) :: last, place, places
        integer :: whole
        whole = last / nb
        local_count = whole / places * nb
        if (place < mod(whole, places)) local_count = local_count + nb
        if (place == mod(whole, places)) local_count = local_count + mod(last, nb)
    end function

    !> The global index of element `local` of the image at `place`.
    pure integer function global_index(local, place, places)
        integer, intent(in) :: local, place, places
        global_index = ((local - 1) / nb * places + place) * nb + mod(local - 1, nb) + 1
    end function

    !> The place of the image that has an element.
    pure integer function owner(element, places)
        integer, intent(in) :: element, places
        owner = mod((element - 1) / nb, places)
    end function

    !> The number of rows of the most nearly square grid of these images that has at most as many rows as columns.
    pure integer function best_rows(images)
        integer, intent(in) :: images
        best_rows = int(sqrt(real(images)) + 0.5)
        do while (mod(images, best_rows) /= 0 .or. best_rows > images / best_rows)
            best_rows = best_rows - 1
        end do
    end function
end module
