program check
    use neighbours, only: passed_on
    implicit none
    integer :: before
    before = 1 + modulo(this_image() - 2, num_images())
    if (passed_on(10 * this_image()) /= 10 * before) error stop 'another value than that of the image before'
    if (this_image() == 1) print '(a)', 'passed'
end program
