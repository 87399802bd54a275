program main
    use neighbours, only: passed_on
    implicit none
    integer :: from
    from = passed_on(this_image())
    print '(2(a, i0))', 'image ', this_image(), ' heard from image ', from
end program
