! A program for late.c, which makes an image late.
program healthy
    implicit none
    integer :: here[*]
    here = this_image()
    sync all
end program
