! The beginning of a program: init, its statuses, constants, kinds; the program ends without prif_stop.
program startup
    use prif_check
    implicit none
    integer(c_int) :: state, numbers(4), i
    integer(c_int), allocatable :: all_images(:)
    integer, parameter :: stats(*) = [0, PRIF_STAT_FAILED_IMAGE, PRIF_STAT_LOCKED, PRIF_STAT_LOCKED_OTHER_IMAGE, &
        PRIF_STAT_STOPPED_IMAGE, PRIF_STAT_UNLOCKED, PRIF_STAT_UNLOCKED_FAILED_IMAGE, PRIF_STAT_OUT_OF_MEMORY, &
        PRIF_STAT_ALREADY_INIT]
    integer, parameter :: levels(*) = [PRIF_CURRENT_TEAM, PRIF_INITIAL_TEAM, PRIF_PARENT_TEAM]

    call check_begin
    state = -77
    call prif_init(state)
    call check(state, PRIF_STAT_ALREADY_INIT, 'stat of a second init')

    call check(PRIF_VERSION_MAJOR == 0 .and. PRIF_VERSION_MINOR == 8, 'version')
    do i = 2, size(stats)
        call check(all(stats(:i - 1) /= stats(i)), 'statuses differ')
    end do
    call check(all(stats(2:) > 0), 'statuses are positive')
    call check(levels(1) /= levels(2) .and. levels(2) /= levels(3) .and. levels(1) /= levels(3), 'levels differ')
    call check(storage_size(0_PRIF_ATOMIC_INT_KIND), 64, 'bits of an atomic integer')
    call check(storage_size(.true._PRIF_ATOMIC_LOGICAL_KIND), 64, 'bits of an atomic logical')

    ! Each image exists once.
    call check(me >= 1 .and. me <= images, 'this_image')
    allocate (all_images(images), source=0_c_int)
    all_images(me) = me
    call prif_co_sum(all_images)
    call check(all(all_images == [(i, i = 1, images)]), 'each image once')
    call polymorphic(prif_lock_type(), 2)
    call polymorphic(prif_event_type(), 1)
    call polymorphic(me, 0)
    numbers = [1, 2, 3, 4]
    call prif_co_broadcast(numbers, images)
    call check(all(numbers == [1, 2, 3, 4]), 'broadcast of the same')
    call check_end

contains

    ! A program can use the module's types like its own.
    subroutine polymorphic(any, wanted)
        class(*), intent(in) :: any
        integer, intent(in) :: wanted
        integer :: found
        found = 0
        select type (any)
        type is (prif_event_type)
            found = 1
        type is (prif_lock_type)
            found = 2
        end select
        call check(found, wanted, 'type of a polymorphic variable')
    end subroutine
end program
