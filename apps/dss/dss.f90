program dss
    use run
    implicit none
    call run_all()
end program
