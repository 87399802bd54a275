! Coarrays of the element loops, and single accesses in procedures of a separate file.
module element_coarrays
    implicit none
    integer, parameter :: n_elements = 1000, n_section = 4096
    integer, save :: h(n_section)[*]
end module

subroutine put_alone(i, image, value)
    use element_coarrays
    integer, intent(in) :: i, image, value
    h(i)[image] = value
end subroutine

subroutine get_alone(i, image, value)
    use element_coarrays
    integer, intent(in) :: i, image
    integer, intent(out) :: value
    value = h(i)[image]
end subroutine
