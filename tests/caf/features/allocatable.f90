! feature: a2 allocatable coarrays: put and get
integer, allocatable :: x(:)[:]
integer :: right
right = mod(this_image(), num_images()) + 1
allocate (x(10)[*], source=this_image())
x(3)[right] = x(4) + 100
sync all
if (x(3) /= modulo(this_image() - 2, num_images()) + 101) error stop 1
if (x(10)[right] /= right) error stop 2
end
