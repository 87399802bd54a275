! feature: h5 notify= and notify wait (Fortran 2023)
use, intrinsic :: iso_fortran_env
type(notify_type), save :: n[*]
integer, save :: x[*]
x[mod(this_image(), num_images()) + 1, notify=n] = 5
notify wait (n)
if (x /= 5) error stop 1
end
