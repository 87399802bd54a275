!> NAS SP without its computation: the classes, the constants of the equations, the known answers, the operation counts.
module problem
    use, intrinsic :: iso_fortran_env, only: dp => real64
    implicit none
    private
    public :: problem_class, find_class, class_names, agrees, megaflops

    !> The compressible Navier-Stokes equations on the unit cube, in the report's units (RNR-94-007, section 4). The
    !> five unknowns of a point are density, momentum along x, y and z, and energy.
    real(dp), parameter, public :: gamma = 1.4_dp, pressure = gamma - 1  !< pressure = (gamma - 1) * internal energy
    real(dp), parameter, public :: viscosity = 0.1_dp
    real(dp), parameter, public :: conduction = 1.96_dp                  !< of heat, in units of the viscosity
    real(dp), parameter, public :: damping(3) = [0.75_dp, 0.75_dp, 1.0_dp]  !< second differences along x, y, z
    real(dp), parameter, public :: dissipation = 0.25_dp                 !< fourth differences, along all three

    !> Points along each axis, time steps and their length; the expected root mean squares of the right-hand side over
    !> dt and of the difference to the exact solution.
    type problem_class
        character(len=1) :: name
        integer :: points, steps
        real(dp) :: dt, residual(5), error(5)
    end type

    real(dp), parameter :: tolerance = 1e-8_dp

    type(problem_class), parameter :: classes(6) = [ &
        problem_class('S', 12, 100, 0.015_dp, &
            [2.7470315451339479e-2_dp, 1.0360746705285417e-2_dp, 1.6235745065095532e-2_dp, 1.5840557224455615e-2_dp, &
             3.4849040609362460e-2_dp], &
            [2.7289258557377227e-5_dp, 1.0364446640837285e-5_dp, 1.6154798287166471e-5_dp, 1.5750704994480102e-5_dp, &
             3.4177666183390531e-5_dp]), &
        problem_class('W', 36, 400, 0.0015_dp, &
            [0.1893253733584e-2_dp, 0.1717075447775e-3_dp, 0.2778153350936e-3_dp, 0.2887475409984e-3_dp, &
             0.3143611161242e-2_dp], &
            [0.7542088599534e-4_dp, 0.6512852253086e-5_dp, 0.1049092285688e-4_dp, 0.1128838671535e-4_dp, &
             0.1212845639773e-3_dp]), &
        problem_class('A', 64, 400, 0.0015_dp, &
            [2.4799822399300195_dp, 1.1276337964368832_dp, 1.5028977888770491_dp, 1.4217816211695179_dp, &
             2.1292113035138280_dp], &
            [1.0900140297820550e-4_dp, 3.7343951769282091e-5_dp, 5.0092785406541633e-5_dp, 4.7671093939528255e-5_dp, &
             1.3621613399213001e-4_dp]), &
        problem_class('B', 102, 400, 0.001_dp, &
            [69.03293579998_dp, 30.95134488084_dp, 41.03336647017_dp, 38.64769009604_dp, 56.43482272596_dp], &
            [0.9810006190188e-2_dp, 0.1022827905670e-2_dp, 0.1720597911692e-2_dp, 0.1694479428231e-2_dp, &
             0.1847456263981e-1_dp]), &
        problem_class('C', 162, 400, 0.00067_dp, &
            [588.1691581829_dp, 245.4417603569_dp, 329.3829191851_dp, 308.1924971891_dp, 459.7223799176_dp], &
            [0.2598120500183_dp, 0.2590888922315e-1_dp, 0.5132886416320e-1_dp, 0.4806073419454e-1_dp, &
             0.5483377491301_dp]), &
        problem_class('D', 408, 500, 0.0003_dp, &
            [10446.96216887_dp, 3204.427762578_dp, 4648.680733032_dp, 4238.923283697_dp, 7588.412036136_dp], &
            [5.089471423669_dp, 0.5323514855894_dp, 1.187051008971_dp, 1.083734951938_dp, 11.64108338568_dp])]
    character(len=*), parameter :: class_names = 'S W A B C D'

contains

    !> The class of that name; the result's name is blank if no class has that name.
    type(problem_class) function find_class(name)
        character(len=*), intent(in) :: name
        integer :: i
        find_class = problem_class('', 0, 0, 0, 0, 0)
        do i = 1, size(classes)
            if (classes(i)%name == name) find_class = classes(i)
        end do
    end function

    !> NaN does not agree with any number.
    elemental logical function agrees(value, known)
        real(dp), intent(in) :: value, known
        agrees = abs(value - known) <= tolerance * abs(known)
    end function

    !> Uses the benchmark's count of operations, which is not the real number.
    real(dp) function megaflops(class, seconds)
        type(problem_class), intent(in) :: class
        real(dp), intent(in) :: seconds
        real(dp) :: n
        n = class%points
        megaflops = 1e-6_dp * class%steps * (881.174_dp * n**3 - 4683.91_dp * n**2 + 11484.5_dp * n - 19272.4_dp) &
            / seconds
    end function
end module
