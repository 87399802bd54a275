!> Calls the MPI exchange of apps/dss in dss_mpi.c: MPIs without a Fortran compiler have it, too.
module exchange
    use, intrinsic :: iso_c_binding
    implicit none

    interface
        subroutine join(me, ranks) bind(C, name='dss_join')
            import :: c_int
            integer(c_int), intent(out) :: me, ranks
        end subroutine

        subroutine connect(ranks, links, rank, first, there, length, most) bind(C, name='dss_connect')
            import :: c_int
            integer(c_int), intent(in), value :: ranks, links, most
            integer(c_int), intent(in) :: rank(links), first(links), there(links), length(links)
        end subroutine

        subroutine begin_step(step) bind(C, name='dss_begin_step')
            import :: c_int
            integer(c_int), intent(in), value :: step
        end subroutine

        subroutine send(link, values) bind(C, name='dss_send')
            import :: c_double, c_int
            integer(c_int), intent(in), value :: link
            real(c_double), intent(in), asynchronous :: values(*)
        end subroutine

        subroutine take(link, values) bind(C, name='dss_take')
            import :: c_int, c_ptr
            integer(c_int), intent(out) :: link
            type(c_ptr), intent(out) :: values
        end subroutine

        subroutine end_step() bind(C, name='dss_end_step')
        end subroutine

        subroutine meet() bind(C, name='dss_meet')
        end subroutine

        subroutine stop_all() bind(C, name='dss_stop_all')
        end subroutine

        subroutine leave() bind(C, name='dss_leave')
        end subroutine
    end interface
end module
