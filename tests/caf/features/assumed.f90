! feature: d3 dummy argument of assumed shape: get
integer, save :: x(5)[*]
x = this_image()
sync all
call get(x)
contains
subroutine get(d)
    integer :: d(:)[*], y(5)
    y = d(:)[num_images()]
    if (any(y /= num_images())) error stop 1
end subroutine
end
