! What late.c makes late.
program healthy
    implicit none
    integer :: here[*]
    here = this_image()
    sync all
end program
