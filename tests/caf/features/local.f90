! feature: a4 local coarrays, deallocated at the end of the procedure
integer :: i
do i = 1, 100
    call local(i)
end do
contains
subroutine local(n)
    integer, intent(in) :: n
    integer, allocatable :: x(:)[:]
    allocate (x(n)[*])
    x = n
    sync all
    if (x(n)[num_images()] /= n) error stop 1
end subroutine
end
