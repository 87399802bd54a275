! feature: d1 put in a procedure of the module that has the coarray
module m
    implicit none
    integer, save :: x(5)[*]
contains
    subroutine put(k, i)
        integer, intent(in) :: k, i
        x(i)[k] = 5
    end subroutine
end module
use m
call put(mod(this_image(), num_images()) + 1, 2)
sync all
if (x(2) /= 5) error stop 1
end
