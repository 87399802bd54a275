!> The decomposition of the grid: multipartition. The points inside the cube are cut along each axis into as many slabs
!> as the root of the number of PEs, which makes cells; each PE has the cells of one diagonal, so one in every slab of
!> every axis. A sweep along any axis goes from slab to slab, and in each slab every PE has one cell to compute: no PE
!> waits for a pipeline to fill. Beyond a face the neighbour is the same PE for all cells, so there are six neighbours.
module grid
    implicit none
    private
    public :: partition, make_partition

    type partition
        integer :: points                   !< of the grid along each axis, both boundaries counted
        integer :: slabs                    !< along each axis; as many cells has each PE
        integer :: most                     !< points along an axis of the largest cell
        integer, allocatable :: slab(:, :)  ! the slab that contains the cell
        integer, allocatable :: cell(:, :)  !< (axis, slab): the cell in that slab
        integer, allocatable :: before(:)   !< (slab): points along the axis before its first, the boundary's counted
        integer, allocatable :: extent(:)   !< (slab): points along the axis
        integer :: next(3), previous(3)     !< along each axis, the PEs of the neighbouring cells
        integer :: shift(3)                 !< along each axis, the next cell's number less ours
    end type

contains

    !> slabs**2 PEs, which have to be few enough for two points in each cell: so far reach the stencils.
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
