! images: 1 2 3 4 5 8 16
! Events: post and wait, until_count, query, arrays, allocatable events, posts to the own image; data written before a
! post is visible after its wait; posts of many images are counted; stat= and errmsg=. Each procedure uses the module of
! the coarrays, because gfortran 15 and 16 cannot access a coarray of the procedure's own module.
module events_data_m
    use, intrinsic :: iso_fortran_env, only: event_type
    implicit none
    type(event_type), save :: full[*], free[*], many(7)[*], plane(2, 3)[*]
    type(event_type), allocatable, save :: dynamic(:)[:]
    integer(8), save :: box[*], boxes(500)[*]
end module

module events_m
    use, intrinsic :: iso_fortran_env, only: event_type
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
contains
    subroutine producer_consumer
        use events_data_m
        integer, parameter :: rounds = 2000
        integer :: i
        event post (free[neighbour(-1)])
        do i = 1, rounds
            event wait (free)
            box[neighbour(1)] = value(this_image(), i, 1_8)
            event post (full[neighbour(1)])
            event wait (full)
            call expect(box, value(neighbour(-1), i, 1_8), 'what was put before the post')
            event post (free[neighbour(-1)])
        end do
        event wait (free)
        sync all
    end subroutine

    subroutine counting
        use events_data_m
        integer :: i, n, count, state
        character(80) :: message
        n = num_images()
        message = 'untouched'
        call event_query(many(3), count)
        call check(count, 0, 'count before any post')
        sync all
        do i = 1, n
            event post (many(3)[i], stat=state, errmsg=message)
            call check(state, 0, 'stat of post')
            event post (many(5)[i])
            event post (many(5)[i])
        end do
        sync all
        call event_query(many(3), count, state)
        call check(count, n, 'posts of all images')
        call check(state, 0, 'stat of query')
        call event_query(many(5), count)
        call check(count, 2 * n, 'two posts of all images')
        call event_query(many(4), count)
        call check(count, 0, 'the event beside it')
        state = 77
        event wait (many(3), until_count=n, stat=state, errmsg=message)
        call check(state, 0, 'stat of wait')
        call check(message == 'untouched', 'errmsg of post and wait')
        call event_query(many(3), count)
        call check(count, 0, 'count after a wait for all')
        event wait (many(5), until_count=n)
        call event_query(many(5), count)
        call check(count, n, 'count after a wait for half')
        event wait (many(5))
        call event_query(many(5), count)
        call check(count, n - 1, 'count after a wait')
        if (n > 1) event wait (many(5), until_count=n - 1)
        ! a count below 1 means 1
        event post (many(5)[this_image()])
        event wait (many(5), until_count=0)
        call event_query(many(5), count)
        call check(count, 0, 'count after a wait until 0')
        event post (many(1)[this_image()])
        event post (many(7))
        event wait (many(1))
        event wait (many(7))
        sync all
    end subroutine

    subroutine arrays
        use events_data_m
        integer :: i, j, count
        do j = 1, 3
            do i = 1, 2
                event post (plane(i, j)[neighbour(i + 2 * j)])
            end do
        end do
        do j = 1, 3
            do i = 1, 2
                event wait (plane(i, j))
            end do
        end do
        allocate (dynamic(0:9)[*])
        do i = 0, 9
            event post (dynamic(i)[neighbour(1)])
        end do
        do i = 9, 0, -1
            event wait (dynamic(i))
        end do
        sync all
        do i = 0, 9
            call event_query(dynamic(i), count)
            call check(count, 0, 'count of an allocatable event')
        end do
        deallocate (dynamic)
    end subroutine

    ! Sections put before a post are complete after its wait; the waiting image calls event_query first.
    subroutine data_before
        use events_data_m
        integer :: i, k, count
        do i = 1, 200
            boxes(:)[neighbour(1)] = value(this_image(), [(i + k, k = 1, 500)], 1_8)
            event post (full[neighbour(1)])
            count = 0
            do while (count == 0)
                call event_query(full, count)
            end do
            event wait (full)
            call expect(boxes, value(neighbour(-1), [(i + k, k = 1, 500)], 1_8), 'array put before a post')
            event post (free[neighbour(-1)])
            event wait (free)
        end do
        sync all
    end subroutine

    ! All images post to one image, which waits with several counts.
    subroutine all_to_one
        use events_data_m
        integer :: i, count
        do i = 1, 120
            event post (full[num_images()])
        end do
        if (this_image() == num_images()) then
            do i = 1, 120 * num_images() / 8
                event wait (full, until_count=8)
            end do
            call event_query(full, count)
            call check(count, 0, 'what is left of all posts')
        end if
        sync all
    end subroutine
end module

program events
    use events_m
    implicit none
    call producer_consumer
    call counting
    call arrays
    call data_before
    call all_to_one
    call check_end
end program
