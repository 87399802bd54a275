!> The decomposition of the grid: multipartition. The cube's inner points are cut along each axis into slabs; the number
!> of slabs is the square root of the number of PEs. The slabs cut the cube into cells. Each PE has the cells of one
!> diagonal, that is one cell in each slab of each axis. A sweep along any axis goes from slab to slab, and in each slab
!> every PE computes one cell. Beyond a face the neighbour is the same PE for all cells.
module grid
    implicit none
    private
    public :: partition, make_partition

    type partition
        integer :: points                   !< points of the grid along each axis, with both boundaries
        integer :: slabs                    !< slabs along each axis, which is also the number of a PE's cells
        integer :: most                     !< points of the largest cell along an axis
        integer, allocatable :: slab(:, :)  ! (axis, cell): the slab that contains the cell
        integer, allocatable :: cell(:, :)  !< (axis, slab): the cell in that slab
        integer, allocatable :: before(:)   !< (slab): points before the slab along the axis, with the boundary
        integer, allocatable :: extent(:)   !< (slab): points of the slab along the axis
        integer :: next(3), previous(3)     !< along each axis, the PEs of the neighbouring cells
        integer :: shift(3)                 !< along each axis, the next cell's number minus this cell's
    end type

contains

    !> The partition for slabs**2 PEs. The stencils reach two points far, so each cell needs two points along each axis.
    type(partition) function make_partition(points, slabs, me) result(g)
        integer, intent(in) :: points, slabs, me
        integer :: c, axis, x, y
        g%points = points
        g%slabs = slabs
        allocate (g%slab(3, slabs), g%cell(3, slabs), g%before(slabs), g%extent(slabs))
        g%extent = [((points - 2) / slabs + merge(1, 0, c <= mod(points - 2, slabs)), c = 1, slabs)]
        g%before = [(1 + sum(g%extent(:c - 1)), c = 1, slabs)]
        g%most = maxval(g%extent)

        ! Cell c of the PE at (x, y) is in slab c along z, and along x and y in the c - 1 next slabs after x and y,
        ! cyclically.
        x = mod(me, slabs)
        y = me / slabs
        do c = 1, slabs
            g%slab(:, c) = [1 + mod(x + c - 1, slabs), 1 + mod(y + c - 1, slabs), c]
            do axis = 1, 3
                g%cell(axis, g%slab(axis, c)) = c
            end do
        end do
        g%next = [pe_at(x + 1, y), pe_at(x, y + 1), pe_at(x - 1, y - 1)]
        g%previous = [pe_at(x - 1, y), pe_at(x, y - 1), pe_at(x + 1, y + 1)]
        g%shift = [0, 0, 1]

    contains

        integer function pe_at(x, y)
            integer, intent(in) :: x, y
            pe_at = modulo(x, slabs) + slabs * modulo(y, slabs)
        end function
    end function
end module
