! feature: e1 sync all, images and memory with stat=
integer :: code
character(40) :: text
sync all (stat=code, errmsg=text)
if (code /= 0) error stop 1
if (this_image() == 1) sync images (*, stat=code)
if (this_image() > 1) sync images (1, stat=code)
if (code /= 0) error stop 2
sync memory (stat=code)
if (code /= 0) error stop 3
end
