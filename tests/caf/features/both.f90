! feature: b6 assignment with both sides coindexed
integer, save :: x(5)[*], y(5)[*]
x = this_image()
y = 0
sync all
if (this_image() == 1) y(:)[2] = x(:)[num_images()]
if (this_image() == 1) y(3)[3] = x(2)[2]
sync all
if (this_image() == 2 .and. any(y /= num_images())) error stop 1
if (this_image() == 3 .and. y(3) /= 2) error stop 2
end
