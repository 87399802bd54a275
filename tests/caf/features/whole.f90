! feature: c3 put to a whole allocatable component of the same shape
type t
    integer, allocatable :: a(:)
end type
type(t), save :: x[*]
allocate (x%a(4), source=this_image())
sync all
if (this_image() == 1) x[num_images()]%a = [5, 6, 7, 8]
sync all
if (this_image() == num_images() .and. any(x%a /= [5, 6, 7, 8])) error stop 1
end
