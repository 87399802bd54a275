! compiler: oshfort
! modules: mesh sums check shmem_exchange run
! args: 4
! pes: 1 2 3 4 5 8
! nodes: 2 2
! nodes: 2 5
! nodes: 3+1 4 5 1
! Direct stiffness summation, the gather-scatter of spectral elements, by OpenSHMEM.
!   dss [LENGTH [BATCHES]]      LENGTH: of the cube, in elements; BATCHES: of gather-scatters, each timed
! The exit code tells whether each value equals that of a serial sum.
program dss
    use run
    implicit none
    call run_all()
end program
