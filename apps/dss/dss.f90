! compiler: oshfort
! modules: mesh sums check shmem_exchange run
! args: 4
! pes: 1 2 3 4 5 8
! nodes: 2 2
! nodes: 2 5
! nodes: 3+1 4 5 1
! Direct stiffness summation, the gather-scatter of spectral elements, by OpenSHMEM.
!   dss [LENGTH [BATCHES]]      LENGTH: the cube's edge in elements; BATCHES: the number of timed batches
! The exit code is 0 if each value equals the value of a serial sum.
program dss
    use run
    implicit none
    call run_all()
end program
