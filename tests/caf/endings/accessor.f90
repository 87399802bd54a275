! Accesses that no accessor can make; the first argument selects one. Image 1 accesses the last image, which waits
! meanwhile. If the second argument is `busy', the last image computes; if it is `each', each image accesses the next.
program accessor
    use iso_fortran_env, only: int8, int64
    implicit none
    type inner
        integer, allocatable :: v
    end type
    type t
        integer, allocatable :: a(:)
        integer, pointer :: p => null()
        type(inner), allocatable :: i(:)
    end type
    type(t), save :: o[*]
    integer, save :: x(10)[*]
    integer, allocatable :: wide(:)[:]
    integer :: l(3), i, s, k, many(200), turn, more = 15, lots(19)
    integer(int8) :: few(15) = 7
    integer(int64) :: beyond = 2_int64**45
    character(20) :: what, how

    call get_command_argument(1, what)
    call get_command_argument(2, how)
    k = num_images()
    if (how == 'each') k = 1 + mod(this_image(), num_images())
    x = this_image()
    allocate (o%a(5), source=this_image())
    allocate (wide(1000)[*])    ! with space for another coarray after it
    many = 0
    if (what(:6) == 'absent') deallocate (o%a)
    sync all
    if (this_image() == 1 .or. how == 'each') then
        i = 1000
        l = 0
        s = 0
        select case (what)
        case ('absent');     l = o[k]%a(1:3)
        case ('absent_put'); o[k]%a(2) = 1
        case ('absent_puts')
            o[k]%a(2) = 1
            o[k]%a(3) = 1
            o[1 + mod(k, num_images())]%a(2) = 1
            o[k]%a(2) = 1
        case ('deep');       s = o[k]%i(2)%v
        case ('pointer');    s = o[k]%p
        case ('shape');      l = o[k]%a
        case ('outside');    s = x(i)[k]
        case ('far');        s = o[k]%a(beyond)
        case ('learned_put', 'learned_get')
            i = 802
            do turn = 1, 20
                if (what == 'learned_put') wide(i:i + 199)[k] = many
                if (what == 'learned_get') many = wide(i:i + 199)[k]
            end do
        case ('more_put');     x(1:more)[k] = many(1:more)
        case ('more_of_kind'); x(1:more)[k] = few
        case ('more_get');     lots = x(1:19)[k]
        case ('more_new');     many(1:more) = x(1:more)[k]
        case ('more_little')
            do turn = 1, 20
                many(1:more - 20 + turn) = x(1:more - 20 + turn)[k]
            end do
        case ('image');      s = x(1)[num_images() + 1]
        case ('none');       l = o[k]%a(3:5)
        end select
        print '(a, 4i0)', 'went on', l, s
    else if (this_image() == num_images() .and. how == 'busy') then
        call compute
    end if
    sync all
contains
    subroutine compute
        integer(int64) :: first, now, rate
        call system_clock(first, rate)
        now = first
        do while (now < first + 20 * rate)
            call system_clock(now)
        end do
    end subroutine
end program
