! feature: h3 coshape, image_index, this_image(x)
integer, save :: x[2, *]
integer :: shape(2)
shape = coshape(x)
if (any(shape /= [2, 2])) error stop 1
if (image_index(x, this_image(x)) /= this_image()) error stop 2
end
