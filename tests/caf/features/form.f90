! feature: g2 form team with new_index= and stat=
use, intrinsic :: iso_fortran_env
type(team_type) :: t
integer :: code
form team (1, t, new_index=num_images() + 1 - this_image(), stat=code)
if (code /= 0) error stop 1
end
