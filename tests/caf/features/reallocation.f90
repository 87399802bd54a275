! feature: c4 put that reallocates a whole allocatable component
type t
    integer, allocatable :: a(:)
end type
type(t), save :: x[*]
allocate (x%a(4), source=this_image())
sync all
if (this_image() == 1) x[num_images()]%a = [5, 6, 7, 8, 9, 10]
sync all
if (this_image() == num_images()) then
    if (size(x%a) /= 6) error stop 1
    if (any(x%a /= [5, 6, 7, 8, 9, 10])) error stop 2
end if
end
