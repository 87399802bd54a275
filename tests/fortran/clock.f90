! pes: 1 2 4 7
! flags: -fopenmp
! Time: the module's, Fortran's and OpenMP's clocks, which agree if time is emulated.
program clock
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use omp_lib, only: omp_get_wtime
    use shmem
    use checks
    implicit none
    real(c_double), parameter :: length = 0.004_c_double
    real(c_double) :: before, passed, of_omp
    integer(int64) :: first, last, rate
    logical :: emulated

    call shmem_init()
    emulated = shmemx_time_is_emulated() == 1
    call system_clock(first, rate)
    of_omp = omp_get_wtime()
    before = shmemx_clock()
    call shmemx_compute(length)
    passed = shmemx_clock() - before
    of_omp = omp_get_wtime() - of_omp
    call system_clock(last)
    call check(is_length(passed), 'shmemx_clock')
    call check(is_length(of_omp), 'omp_get_wtime')
    call check(is_length(real(last - first, c_double) / real(rate, c_double)), 'system_clock')
    call shmem_finalize()
    call check_end()
contains
    ! Real time may be any longer.
    logical function is_length(seconds)
        real(c_double), intent(in) :: seconds
        is_length = seconds > 0.999_c_double * length .and. (.not. emulated .or. seconds < 1.2_c_double * length)
    end function
end program
