! feature: h4 move_alloc of a coarray
integer, allocatable :: x(:)[:], y(:)[:]
allocate (x(3)[*], source=this_image())
call move_alloc(x, y)
if (allocated(x)) error stop 1
if (y(2)[num_images()] /= num_images()) error stop 2
end
