! feature: d2a dummy argument of explicit shape, x(n, n), where n is a dummy argument
integer, save :: x(2, 2)[*]
x = this_image()
sync all
call get(x, 2)
contains
subroutine get(d, n)
    integer, intent(in) :: n
    integer :: d(n, n)[*]
    if (d(2, 2)[num_images()] /= num_images()) error stop 1
end subroutine
end
