! feature: a3 coarrays that are allocated and never coindexed
integer, allocatable :: x(:)[:]
integer, save :: s[*]
integer :: bounds(1)
allocate (x(10)[2:*])
x = this_image()
s = 5
sync all
bounds = lcobound(x)
if (bounds(1) /= 2 .or. any(x /= this_image()) .or. s /= 5) error stop 1
deallocate (x)
end
