! pes: 1 2 4 7
! flags: -fcray-pointer
! The classic interface: the symmetric heap through Cray pointers, queries, caches, shmem_ptr.
program cmem
    use checks
    implicit none
    include 'shmem.fh'
    integer :: my_pe, num_pes, me, npes, right, left, errcode, status, i
    integer :: a(*), b(*), theirs(*)
    integer, save :: data(100)
    pointer (address, a), (other, b), (reach, theirs)
    integer :: major, minor
    character(len=SHMEM_MAX_NAME_LEN) :: name
    logical :: good
    integer :: outside

    call shmem_init()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    right = mod(me + 1, npes)
    left = mod(me + npes - 1, npes)
    call check(me == my_pe() .and. npes == num_pes(), 'my_pe, num_pes')
    call shmem_info_get_version(major, minor)
    call check(major == SHMEM_MAJOR_VERSION .and. minor == SHMEM_MINOR_VERSION, 'shmem_info_get_version')
    call shmem_info_get_name(name)
    call check(name == SHMEM_VENDOR_STRING, 'shmem_info_get_name')
    good = shmem_pe_accessible(npes - 1)
    call check(good, 'shmem_pe_accessible')
    good = shmem_pe_accessible(npes)
    call check(.not. good, 'shmem_pe_accessible of a PE too many')
    call check(shmem_addr_accessible(data, right), 'shmem_addr_accessible')
    call check(.not. shmem_addr_accessible(outside, right), 'shmem_addr_accessible of a private object')

    call shpalloc(address, 100, errcode, 1)
    call check(errcode == 0, 'shpalloc')
    call shpalloc(other, 7, errcode, 0)
    call check(errcode == 0 .and. other /= address, 'shpalloc of another block')
    do i = 1, 100
        data(i) = me * 1000 - i
    end do
    call shmem_barrier_all()
    call shmem_integer_put(a, data, 100, right)
    call shmem_barrier_all()
    call check(all([(a(i) == left * 1000 - i, i=1, 100)]), 'a block written to')
    reach = shmem_ptr(a, right)
    call check(reach /= 0 .and. all([(theirs(i) == me * 1000 - i, i=1, 100)]), 'shmem_ptr')
    reach = shmem_ptr(a(51), right)
    call check(theirs(1) == me * 1000 - 51, 'shmem_ptr of an element')
    call check(shmem_ptr(outside, right) == 0, 'shmem_ptr of a private object')
    call shmem_barrier_all()

    call shpclmove(address, 5000, status, 1)
    call check(status == 0 .or. status == 1, 'shpclmove')
    call check(all([(a(i) == left * 1000 - i, i=1, 100)]), 'a block moved')
    a(5000) = me
    call shmem_barrier_all()
    call shmem_integer_get(outside, a(5000), 1, right)
    call check(outside == right, 'the end of a larger block')
    call shmem_barrier_all()

    ! Errors are returned as codes.
    call shpalloc(reach, 0, errcode, 0)
    call check(errcode == -1, 'shpalloc of nothing', errcode)
    call shpclmove(other, -3, errcode, 0)
    call check(errcode == -1, 'shpclmove to nothing', errcode)
    call shpclmove(other, 2147483647, errcode, 0)
    if (errcode < 0) call check(errcode == -2, 'shpclmove to too much', errcode)
    reach = loc(outside)
    call shpdeallc(reach, errcode, 0)
    call check(errcode == -3, 'shpdeallc outside the heap', errcode)
    reach = address + 8
    call shpdeallc(reach, errcode, 0)
    call check(errcode == -5, 'shpdeallc in the middle of a block', errcode)
    reach = other
    call shpdeallc(other, errcode, 1)
    call check(errcode == 0, 'shpdeallc', errcode)
    call shpdeallc(reach, errcode, 0)
    call check(errcode == -4, 'shpdeallc twice', errcode)
    call shpdeallc(address, errcode, 1)
    call check(errcode == 0, 'shpdeallc of the other', errcode)

    call shmem_set_cache_inv()
    call shmem_clear_cache_inv()
    call shmem_set_cache_line_inv(data)
    call shmem_clear_cache_line_inv(data(3))
    call shmem_udcflush()
    call shmem_udcflush_line(data)
    call shmem_fence()
    call check_end()
    call shmem_finalize()
end program
