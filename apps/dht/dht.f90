! args: lock 2000
! args: atomic 2000
! images: 1 2 4
! A distributed hash table in coarrays: all images enter objects into any slots at the same time.
!   dht [lock|atomic [OBJECTS]]         OBJECTS: the number that each image enters
! From an object's home slot on, an image searches for the first slot that is empty or already has the object, stores
! the object there and adds one to the slot's entries. A lock for each image's part, or two atomic subroutines for each
! slot, exclude conflicts. The exit code is 0 if the table has exactly the expected objects and numbers of entries.
!
! gfortran 15 and 16 cannot compile a module procedure that accesses a coarray by host association: each procedure
! itself uses the module of the coarrays.
module slots_of_images
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, lock_type
    implicit none
    type slot_type
        integer(atomic_int_kind) :: object, entries
    end type
    type(slot_type), allocatable :: slot_of(:)[:]  ! this image's slots, counted from 0
    type(lock_type), save :: part_lock[*]          ! guards this image's part
end module

module table
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, int64, real64
    use objects
    implicit none
    private
    public :: create, run

    integer :: slots, part

contains

    subroutine create(objects_each)
        use slots_of_images
        integer, intent(in) :: objects_each
        slots = int(table_slots(objects_each, num_images()))
        part = part_slots(objects_each)
        allocate (slot_of(0:part - 1)[*])
        slot_of = slot_type(0, 0)
    end subroutine

    subroutine run(own, atomically, collisions, seconds)
        integer, intent(in) :: own(:)
        logical, intent(in) :: atomically
        integer(int64), intent(out) :: collisions
        real(real64), intent(out) :: seconds
        procedure(enter_locked), pointer :: enter
        integer(int64) :: begin, end, rate
        integer :: pass, i
        enter => enter_locked
        if (atomically) enter => enter_atomically
        collisions = 0
        sync all
        call system_clock(begin, rate)
        do pass = 1, passes
            do i = 1, size(own)
                collisions = collisions + enter(own(i))
            end do
            sync all
        end do
        call system_clock(end)
        seconds = real(end - begin, real64) / real(rate, real64)
    end subroutine

    !> Enters an object and returns the number of slots in which it found another object.
    integer function enter_locked(wanted) result(collisions)
        use slots_of_images
        integer, intent(in) :: wanted
        integer :: slot, at, owner
        logical :: entered
        collisions = 0
        slot = home_of(wanted, slots)
        do
            owner = slot / part + 1
            at = mod(slot, part)
            lock (part_lock[owner])
            entered = try(wanted, at, owner)
            unlock (part_lock[owner])
            if (entered) exit
            collisions = collisions + 1
            slot = next_of(slot, slots)
        end do
    end function

    !> Enters the object if the slot is empty or already has it. The caller has locked the owner's part.
    logical function try(wanted, at, owner)
        use slots_of_images
        integer, intent(in) :: wanted, at, owner
        type(slot_type) :: slot
        slot = slot_of(at)[owner]
        try = slot%object == wanted .or. slot%object == 0
        if (.not. try) return
        slot = slot_type(wanted, slot%entries + 1)
        slot_of(at)[owner] = slot
    end function

    !> Does the same without a lock: an object never leaves its slot, and the slot's entries only grow.
    integer function enter_atomically(wanted) result(collisions)
        use slots_of_images
        integer, intent(in) :: wanted
        integer(atomic_int_kind) :: found
        integer :: slot, at, owner
        collisions = 0
        slot = home_of(wanted, slots)
        do
            owner = slot / part + 1
            at = mod(slot, part)
            call atomic_cas(slot_of(at)[owner]%object, found, 0, wanted)
            if (found == wanted .or. found == 0) exit
            collisions = collisions + 1
            slot = next_of(slot, slots)
        end do
        call atomic_add(slot_of(at)[owner]%entries, 1)
    end function
end module

program dht
    use, intrinsic :: iso_fortran_env, only: error_unit, int64, output_unit, real64
    use objects
    use slots_of_images
    use table
    implicit none
    integer, parameter :: most = 10000000
    integer :: objects_each
    integer(int64) :: collisions
    real(real64) :: seconds
    logical :: atomically, ok

    call read_arguments()
    call create(objects_each)
    call run(own_objects(objects_each, this_image()), atomically, collisions, seconds)
    call co_sum(collisions)
    ok = .true.
    if (this_image() == 1) then
        call report()
        call judge()
    end if
    call co_broadcast(ok, 1)
    if (.not. ok) error stop 'dht: the table is wrong'

contains

    subroutine read_arguments()
        character(len=32) :: argument
        integer :: status
        argument = 'lock'
        if (command_argument_count() >= 1) call get_command_argument(1, argument)
        atomically = argument == 'atomic'
        if (.not. atomically .and. argument /= 'lock') &
            call refuse("the first argument may be 'lock' or 'atomic', and not '" // trim(argument) // "'")
        objects_each = 40000
        if (command_argument_count() >= 2) then
            call get_command_argument(2, argument)
            read (argument, *, iostat=status) objects_each
            if (status /= 0) objects_each = 0
            if (objects_each < 1 .or. objects_each > most) &
                call refuse("'" // trim(argument) // "' is no number of objects from 1 to 10000000")
        end if
        if (command_argument_count() >= 3) then
            call get_command_argument(3, argument)
            call refuse("'" // trim(argument) // "' is a third argument, but at most two are allowed")
        end if
        if (table_slots(objects_each, num_images()) > huge(objects_each)) &
            call refuse('so many objects on so many images are more than 2147483646 slots')
    end subroutine

    !> Prints one sentence and ends all images.
    subroutine refuse(why)
        character(len=*), intent(in) :: why
        if (this_image() == 1) write (error_unit, '(2a)') 'dht: ', why
        flush (error_unit)
        sync all
        error stop 2, quiet=.true.
    end subroutine

    subroutine report()
        real(real64) :: updates
        updates = real(passes, real64) * objects_each * num_images()
        write (*, '(3(a,i0),2a)') 'DHT: ', passes, ' x ', objects_each, ' objects on each of ', num_images(), &
            ' images, by ', trim(merge('atomics', 'locks  ', atomically))
        write (*, '(a,f10.6,a,f11.6,a)') '  ', seconds, ' s,', 1e-6_real64 * updates / seconds, ' Mupdates/s'
        write (*, '(a,f10.1)') '  collisions of an image', real(collisions, real64) / num_images()
    end subroutine

    !> Checks that each used slot has a different object of the sequence, with its count, and that no object is missing.
    subroutine judge()
        integer, allocatable :: known(:), times(:)
        type(slot_type), allocatable :: theirs(:)
        integer(int64) :: entered
        integer :: image, i, slot, used, distinct, wrong
        call fill_alone(objects_each, num_images(), known, times)
        distinct = count(known /= 0)
        used = 0
        wrong = 0
        entered = 0
        do image = 1, num_images()
            theirs = slot_of(:)[image]
            associate (object => theirs%object, entries => theirs%entries)
                used = used + count(object /= 0)
                entered = entered + sum(int(entries, int64))
                wrong = wrong + count(mod(entries, passes) /= 0)
                do i = 1, size(object)
                    if (object(i) == 0) then
                        if (entries(i) /= 0) wrong = wrong + 1
                        cycle
                    end if
                    slot = find(object(i), known)
                    if (known(slot) == 0 .or. times(slot) /= entries(i)) wrong = wrong + 1
                    times(slot) = 0  ! a second slot with the same object is an error
                end do
            end associate
        end do
        write (*, '(3(a,i0),a)') '  ', entered, ' entered, ', used, ' slots in use, ', distinct, ' distinct objects'
        write (*, '(a,i0)') '  slots that differ from those of one image alone: ', wrong
        flush (output_unit)
        ok = wrong == 0 .and. used == distinct .and. entered == int(passes, int64) * objects_each * num_images()
    end subroutine
end program
