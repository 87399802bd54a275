!> The sequence of objects, the home slot of each, and a table that one image fills alone.
module objects
    use, intrinsic :: iso_fortran_env, only: int64
    implicit none
    private
    public :: passes, table_slots, part_slots, own_objects, home_of, next_of, fill_alone, find

    integer, parameter :: passes = 2  !< how often each object is entered

    ! Object n of the sequence is first * factor**n mod modulus. The modulus is prime: no object is 0 (an empty slot).
    integer(int64), parameter :: first = 1234567, factor = 33554467, modulus = 1073741827

contains

    !> The number of slots of the whole table: half of them stay empty if all objects differ.
    pure integer(int64) function table_slots(objects_each, images)
        integer, intent(in) :: objects_each, images
        table_slots = 2_int64 * objects_each * images + 1
    end function

    !> The number of slots of each image; the last image has more than it needs.
    pure integer function part_slots(objects_each)
        integer, intent(in) :: objects_each
        part_slots = 2 * objects_each + 1
    end function

    !> The objects that an image enters: a part of the sequence, after the parts of the previous images.
    function own_objects(objects_each, image) result(own)
        integer, intent(in) :: objects_each, image
        integer, allocatable :: own(:)
        integer(int64) :: value, i, skipped
        allocate (own(objects_each))
        skipped = int(objects_each, int64) * (image - 1)
        value = first
        do i = 1, skipped + objects_each
            value = mod(value * factor, modulus)
            if (i > skipped) own(i - skipped) = int(value)
        end do
    end function

    !> The slot, from 0, where a search for the object begins.
    pure integer function home_of(object, slots)
        integer, intent(in) :: object, slots
        home_of = mod(object, slots)
    end function

    !> The next slot; the first slot follows the last.
    pure integer function next_of(slot, slots)
        integer, intent(in) :: slot, slots
        next_of = merge(0, slot + 1, slot == slots - 1)
    end function

    !> One image enters all objects. Several images must get the same objects and counts, possibly in other slots.
    subroutine fill_alone(objects_each, images, object, entries)
        integer, intent(in) :: objects_each, images
        integer, allocatable, intent(out) :: object(:), entries(:)
        integer, allocatable :: all(:)
        integer :: slots, slot, i
        slots = int(table_slots(objects_each, images))
        allocate (object(0:slots - 1), entries(0:slots - 1), source=0)
        all = own_objects(objects_each * images, 1)
        do i = 1, size(all)
            slot = find(all(i), object)
            object(slot) = all(i)
            entries(slot) = entries(slot) + passes
        end do
    end subroutine

    !> The slot that has the object, or the empty slot for it.
    pure integer function find(wanted, object) result(slot)
        integer, intent(in) :: wanted, object(0:)
        slot = home_of(wanted, size(object))
        do while (object(slot) /= wanted .and. object(slot) /= 0)
            slot = next_of(slot, size(object))
        end do
    end function
end module
