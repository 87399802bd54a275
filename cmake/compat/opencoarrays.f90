! For projects that look for OpenCoarrays' module file: with gfortran's own coarrays they use nothing of it.
module opencoarrays
end module
