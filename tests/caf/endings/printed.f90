! Every image prints; its output does not reach a file immediately. Image 2 ends the job while the others wait for it.
program printed
    implicit none
    print '(a, i0)', 'image ', this_image()
    if (this_image() == 2) then
        call execute_command_line('sleep 0.05')
        error stop 3
    end if
    sync all
end program printed
