! feature: b1 sections with strides
integer, save :: x(20, 3)[*]
integer :: y(7), i
x = reshape([(100 * this_image() + i, i = 1, 60)], [20, 3])
sync all
y = x(20:2:-3, 2)[num_images()]
if (any(y /= [(100 * num_images() + 20 + i, i = 20, 2, -3)])) error stop 1
sync all
if (this_image() == 1) x(1:19:6, 3)[num_images()] = [1, 2, 3, 4]
sync all
if (this_image() == num_images() .and. any(x(1:19:6, 3) /= [1, 2, 3, 4])) error stop 2
end
