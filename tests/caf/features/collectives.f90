! feature: f1 co_sum, co_min, co_max, co_broadcast
integer :: x
real(8) :: y(3)
x = this_image()
call co_sum(x)
if (x /= num_images() * (num_images() + 1) / 2) error stop 1
y = this_image()
call co_max(y)
if (any(y /= num_images())) error stop 2
y = this_image()
call co_min(y)
if (any(y /= 1)) error stop 3
x = this_image()
call co_broadcast(x, 2)
if (x /= 2) error stop 4
end
