! feature: e5 atomic subroutines
use, intrinsic :: iso_fortran_env
integer(atomic_int_kind), save :: x[*] = 0
integer(atomic_int_kind) :: y
call atomic_add(x[1], this_image())
sync all
call atomic_ref(y, x[1])
if (y /= num_images() * (num_images() + 1) / 2) error stop 1
end
