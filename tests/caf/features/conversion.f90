! feature: b3 conversion on assignment
real(8), save :: x(4)[*]
integer :: y(4)
x = 10 * this_image() + 0.5d0
sync all
y = x(:)[num_images()]
if (any(y /= 10 * num_images())) error stop 1
sync all
if (this_image() == 1) x(:)[num_images()] = [1, 2, 3, 4]
sync all
if (this_image() == num_images() .and. any(x /= [1d0, 2d0, 3d0, 4d0])) error stop 2
end
