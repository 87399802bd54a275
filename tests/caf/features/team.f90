! feature: g1 form team, change team, collectives in the team
use, intrinsic :: iso_fortran_env
type(team_type) :: t
integer :: x
form team (mod(this_image(), 2) + 1, t)
change team (t)
    x = 1
    call co_sum(x)
    if (x /= num_images()) error stop 1
    if (team_number() < 1 .or. team_number() > 2) error stop 2
end team
sync team (t)
end
