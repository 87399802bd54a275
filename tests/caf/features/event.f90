! feature: e4 event post, wait and event_query
use, intrinsic :: iso_fortran_env
type(event_type), save :: e[*]
integer :: count
event post (e[mod(this_image(), num_images()) + 1])
event wait (e)
call event_query(e, count)
if (count /= 0) error stop 1
end
