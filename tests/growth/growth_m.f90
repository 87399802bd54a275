! Fortran interface of growth.c: "call growth_begin(...)", "do while (growth_goes_on())", "call growth_end".
module growth_m
    use, intrinsic :: iso_c_binding, only: c_bool, c_char, c_int, c_loc, c_long, c_null_char, c_ptr
    implicit none
    private
    public :: growth_begin, growth_goes_on, growth_end

    character(81, c_char), target, save :: name    ! the current loop's name; growth.c keeps the address

    interface
        subroutine begin_c(what, turns) bind(c, name='growth_begin')
            import :: c_ptr, c_long
            type(c_ptr), value :: what
            integer(c_long), value :: turns
        end subroutine
        logical(c_bool) function goes_on_c() bind(c, name='growth_goes_on')
            import :: c_bool
        end function
        integer(c_int) function result_c() bind(c, name='growth_result')
            import :: c_int
        end function
    end interface

contains

    subroutine growth_begin(what, turns)
        character(*), intent(in) :: what
        integer, intent(in) :: turns
        name = trim(what)//c_null_char
        call begin_c(c_loc(name), int(turns, c_long))
    end subroutine

    logical function growth_goes_on()
        growth_goes_on = goes_on_c()
    end function

    ! Every image calls it at the end. If anything has grown on an image, it ends the program with exit code 1.
    subroutine growth_end
        sync all
        if (result_c() /= 0) error stop 1, quiet=.true.
        sync all
    end subroutine
end module
