! feature: d2 dummy argument of explicit shape with constant bounds
integer, save :: x(5)[*]
x = this_image()
sync all
call get(x)
contains
subroutine get(d)
    integer :: d(5)[*]
    if (d(2)[num_images()] /= num_images()) error stop 1
end subroutine
end
