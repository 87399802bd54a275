! images: 2 3 4 5 8
! compilers: 16
! END TEAM (stat=) deallocates coarrays of its construct although an image has failed in it; repeated, so that a leak is
! noticed.
program team_ends_failed
    use, intrinsic :: iso_fortran_env, only: team_type, stat_failed_image
    implicit none
    type(team_type) :: all
    integer, allocatable :: wide(:)[:], alone[:]
    integer :: status
    character(200) :: why

    form team (1, all)
    change team (all)
        allocate (wide(1000)[*])
        allocate (alone[*])
        wide = this_image()
        alone = 7
        sync all
        if (this_image() == num_images()) fail image
        if (this_image() < 0) deallocate (wide)    ! without it, gfortran 16 crashes
        if (this_image() < 0) deallocate (alone)
    end team (stat=status, errmsg=why)
    if (status /= stat_failed_image) error stop 'end team has not reported the failed image'
    if (why /= '' .and. index(why, 'has failed') == 0) error stop 'another message'
    if (allocated(wide) .or. allocated(alone)) error stop 'a coarray is left'
    sync all (stat=status)
    if (status /= stat_failed_image) error stop 'sync all has not told'
    if (this_image() == 1) print '(a)', 'PASSED'
end program
