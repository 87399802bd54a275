! feature: g3 change team with association
use, intrinsic :: iso_fortran_env
type(team_type) :: t
integer, save :: x[*]
x = this_image()
form team (mod(this_image(), 2) + 1, t)
change team (t, y[*] => x)
    if (y[num_images()] < 3) error stop 1
end team
end
