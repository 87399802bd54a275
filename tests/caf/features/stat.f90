! feature: b7 stat= in a get
integer, save :: x[*]
integer :: y, code
x = this_image()
sync all
code = 1
y = x[num_images(), stat=code]
if (y /= num_images() .or. code /= 0) error stop 1
end
