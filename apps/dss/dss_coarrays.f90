! modules: mesh sums check coarray_exchange run
! args: 4
! images: 1 2 3 4 5 8
! nodes: 2 2
! nodes: 2 5
! nodes: 3+1 4 5 1
! Direct stiffness summation by coarrays; dss.f90 describes the program and its arguments.
program dss_coarrays
    use run
    implicit none
    call run_all()
end program
