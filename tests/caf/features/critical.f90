! feature: e3 critical
integer, save :: x[*] = 0
integer :: i, old
do i = 1, 100
    critical
        old = x[1]
        x[1] = old + 1
    end critical
end do
sync all
if (x[1] /= 100 * num_images()) error stop 1
end
