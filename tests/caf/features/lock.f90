! feature: e2 lock and unlock
use, intrinsic :: iso_fortran_env
type(lock_type), save :: l[*]
integer, save :: x[*] = 0
integer :: i, old
do i = 1, 100
    lock (l[1])
    old = x[1]
    x[1] = old + 1
    unlock (l[1])
end do
sync all
if (x[1] /= 100 * num_images()) error stop 1
end
