! feature: b2 vector subscripts
integer, save :: x(20)[*]
integer :: y(3), v(3), i
x = [(100 * this_image() + i, i = 1, 20)]
v = [17, 2, 5]
sync all
y = x(v)[num_images()]
if (any(y /= 100 * num_images() + v)) error stop 1
sync all
if (this_image() == 1) x(v)[num_images()] = [1, 2, 3]
sync all
if (this_image() == num_images() .and. any(x(v) /= [1, 2, 3])) error stop 2
end
