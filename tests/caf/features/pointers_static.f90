! feature: c6 pointer components with static variables as targets
type t
    integer, pointer :: p(:)
end type
type(t), save :: x[*]
integer, target, save :: a(20)
a = this_image()
x%p => a(20:2:-2)
sync all
if (x[num_images()]%p(3) /= num_images()) error stop 1
sync all
if (this_image() == 1) x[num_images()]%p(1) = 55
sync all
if (this_image() == num_images() .and. a(20) /= 55) error stop 2
end
