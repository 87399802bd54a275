! feature: g5 get_team, team_number(t), num_images(t)
use, intrinsic :: iso_fortran_env
type(team_type) :: t, parent
form team (mod(this_image(), 2) + 1, t)
change team (t)
    parent = get_team(parent_team)
    if (num_images(parent) /= 4) error stop 1
    if (team_number(parent) /= -1) error stop 2
end team
end
