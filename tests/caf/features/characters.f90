! feature: b4 character coarrays, padded and truncated
character(8), save :: x[*]
character(4) :: y
write (x, '(a, i0)') 'image ', this_image()
sync all
y = x[num_images()]
if (y /= 'imag') error stop 1
sync all
if (this_image() == 1) x[num_images()] = y
sync all
if (this_image() == num_images() .and. x /= 'imag    ') error stop 2
end
