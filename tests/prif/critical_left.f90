! images: 2 3
! Image 1, which has the lock of a critical construct, fails while image 2 is in it: prif_end_critical, which has no
! stat, is no error; the next prif_critical has the lock, or reports the failure if image 1 was on another node.
program critical_left
    use prif_check
    implicit none
    type(prif_coarray_handle) :: section, event
    type(c_ptr) :: section_memory, event_memory
    type(prif_critical_type), pointer :: first
    integer(c_int) :: state
    call check_begin
    call allocate_bytes(8_c_size_t, section, section_memory)
    call allocate_bytes(8_c_size_t, event, event_memory)
    call c_f_pointer(section_memory, first)
    first = prif_critical_type()
    call prif_sync_all
    if (me == 2) call prif_critical(section)
    if (me == 2) call prif_event_post(1, event, 0_c_size_t)
    if (me == 1) then
        call prif_event_wait(event_memory)
        call prif_fail_image
    end if
    call prif_sync_all(state)
    call check(state, PRIF_STAT_FAILED_IMAGE, 'stat of sync all')
    if (me == 2) then
        call prif_end_critical(section)
        call prif_critical(section, state)
        if (state == 0) call prif_end_critical(section)
        if (state /= 0) call check(state, PRIF_STAT_FAILED_IMAGE, 'stat of critical')
    end if
    call check_end(survivors=.true.)
end program
