! feature: h2 critical with stat=
integer :: code
critical (stat=code)
    if (code /= 0) error stop 1
end critical
end
