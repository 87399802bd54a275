! feature: f2 co_reduce
integer :: x
x = this_image()
call co_reduce(x, larger)
if (x /= num_images()) error stop 1
contains
pure integer function larger(a, b)
    integer, intent(in) :: a, b
    larger = max(a, b)
end function
end
