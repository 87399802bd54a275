! feature: c2 allocatable components, elements and sections
type t
    integer, allocatable :: a(:)
end type
type(t), save :: x[*]
integer :: y(3)
allocate (x%a(10 * this_image()), source=this_image())
sync all
y = x[num_images()]%a(10:20:5)
if (any(y /= num_images())) error stop 1
sync all
if (this_image() == 1) x[num_images()]%a(2) = 77
sync all
if (this_image() == num_images() .and. x%a(2) /= 77) error stop 2
end
