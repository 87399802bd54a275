! feature: a1 static coarrays: put and get
integer, save :: x[*], y[*]
integer :: right
right = mod(this_image(), num_images()) + 1
y = 3 * this_image()
x[right] = 7 * this_image()
sync all
if (x /= 7 * (modulo(this_image() - 2, num_images()) + 1)) error stop 1
if (y[right] /= 3 * right) error stop 2
end
