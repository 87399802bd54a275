! feature: b5 substrings of another image
character(8), save :: x[*]
character(3) :: y
x = 'abcdefgh'
sync all
y = x[num_images()](3:5)
if (y /= 'cde') error stop 1
sync all
if (this_image() == 1) x[num_images()](1:3) = 'xyz'
sync all
if (this_image() == num_images() .and. x /= 'xyzdefgh') error stop 2
end
