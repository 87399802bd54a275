! apps/dss while MPI is initialized, as in Neko; MPI's part is dss_beside_mpi.c.
program dss_beside
    use run, only: run_all
    implicit none
    interface
        subroutine begin_mpi() bind(C)
        end subroutine
        subroutine end_mpi() bind(C)
        end subroutine
    end interface

    call begin_mpi()
    call run_all()
    call end_mpi()
end program
