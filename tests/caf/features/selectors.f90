! feature: g4 [k, team=t] in a get
use, intrinsic :: iso_fortran_env
type(team_type) :: t
integer, save :: x[*]
integer :: y
x = this_image()
form team (mod(this_image(), 2) + 1, t)
sync all
y = x[2, team=t]
if (y /= 4 - mod(this_image(), 2)) error stop 1
sync all
end
