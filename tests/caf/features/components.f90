! feature: c1 components of derived types
type t
    integer :: i
    real :: r(5)
end type
type(t), save :: x(3)[*]
real :: r(5)
x%i = this_image()
x(2)%r = 2.5 * this_image()
sync all
r = x(2)[num_images()]%r
if (any(r /= 2.5 * num_images()) .or. x(3)[1]%i /= 1) error stop 1
sync all
if (this_image() == 1) x(1)[num_images()]%r(2:4) = [1.0, 2.0, 3.0]
sync all
if (this_image() == num_images() .and. any(x(1)%r(2:4) /= [1.0, 2.0, 3.0])) error stop 2
end
