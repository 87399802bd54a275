! Tests that sync all, sync images and sync team order the puts of the images, and tests stat= and errmsg= of these
! statements.
program sync
    use prif_check
    implicit none
    type(prif_coarray_handle) :: handle
    type(c_ptr) :: memory
    integer(c_int64_t), pointer, volatile :: words(:)

    call check_begin
    call allocate_bytes(int(8 * images, c_size_t), handle, memory)
    call c_f_pointer(memory, words, [images])
    words = 0
    call prif_sync_all
    call all_of_them
    call some_images
    call pairs
    call teams
    call wrong_images
    call prif_sync_memory
    call prif_deallocate_coarray(handle)
    call check_end

contains

    subroutine put_word(image, index, word)
        integer, intent(in) :: image, index
        integer(c_int64_t), intent(in) :: word
        integer(c_int64_t), target :: copy
        copy = word
        call prif_put(image, handle, int(8 * (index - 1), c_size_t), c_loc(copy), 8_c_size_t)
    end subroutine

    subroutine all_of_them
        integer :: round
        integer(c_int) :: state
        character(30) :: message
        character(:), allocatable :: whole
        do round = 1, 100
            call put_word(neighbour(1), me, value(me, round, 1))
            state = -1
            message = 'before'
            select case (modulo(round, 3))
            case (0)
                call prif_sync_all
            case (1)
                call prif_sync_all(state, message)
            case (2)
                call prif_sync_all(stat=state, errmsg_alloc=whole)
                call check(.not. allocated(whole), 'errmsg_alloc of sync all')
            end select
            if (modulo(round, 3) /= 0) call check(state, 0, 'stat of sync all')
            call check(message == 'before', 'errmsg of sync all')
            call check(words(neighbour(-1)), value(neighbour(-1), round, 1), 'a word put before sync all')
            call prif_sync_all
        end do
    end subroutine

    ! Image 1 synchronizes with all other images, and each of them only with image 1. Also: sync images (*), an empty
    ! set, and the image itself.
    subroutine some_images
        integer :: round, i
        integer(c_int) :: state
        integer(c_int), allocatable :: others(:)
        character(30) :: message
        others = [(i, i = images, 2, -1)]
        do round = 1, 50
            state = -1
            message = 'before'
            if (me == 1) then
                do i = 2, images
                    call put_word(i, 1, value(i, round, 2))
                end do
                call prif_sync_images(others, state, message)
            else
                call put_word(1, me, value(me, round, 3))
                call prif_sync_images([1], state, message)
                call check(words(1), value(me, round, 2), 'a word put by image 1')
            end if
            call check(state == 0 .and. message == 'before', 'stat and errmsg of sync images')
            if (me == 1) then
                do i = 2, images
                    call check(words(i), value(i, round, 3), 'a word put to image 1')
                end do
            end if
            call prif_sync_images
        end do
        call prif_sync_images([integer(c_int) ::])
        call prif_sync_images([me])
        call prif_sync_images(stat=state)
        call check(state, 0, 'stat of sync images (*)')
    end subroutine

    ! Each image synchronizes with its two neighbours in a ring, with sections of arrays as sets. Some images may be
    ! several rounds ahead of others.
    subroutine pairs
        integer :: round
        integer(c_int) :: set(6)
        set = [neighbour(-1), -1, -1, neighbour(1), -1, -1]
        do round = 1, 100
            call put_word(neighbour(1), me, value(me, round, 4))
            if (images > 2) then
                call prif_sync_images(set(1::3))
            else
                call prif_sync_images(set(4:2:-3))
            end if
            call check(words(neighbour(-1)), value(neighbour(-1), round, 4), 'a word of the previous image')
            if (images > 2) then
                call prif_sync_images(set(4:1:-3))
            else
                call prif_sync_all
            end if
        end do
        call prif_sync_all
    end subroutine

    ! Teams of three neighbours. Before change team, the images synchronize in the new team by sync team. After it, they
    ! synchronize in the new team by sync all and sync images, and in the initial team by sync team.
    subroutine teams
        type(prif_team_type) :: team, initial
        integer(c_int) :: state, k, n
        integer :: round, partner
        character(20) :: message
        call prif_form_team(int((me - 1) / 3 + 1, c_int64_t), team)
        call prif_get_team(PRIF_INITIAL_TEAM, initial)
        call prif_num_images_with_team(team, n)
        call prif_this_image_no_coarray(team, k)
        partner = me - k + 1 + modulo(k, n)
        do round = 1, 50
            call put_word(partner, 1, value(partner, round, 5))
            state = -1
            message = 'before'
            call prif_sync_team(team, state, message)
            call check(state == 0 .and. message == 'before', 'stat and errmsg of sync team')
            call check(words(1), value(me, round, 5), 'a word put before sync team')
            call prif_sync_team(team)
        end do
        call prif_change_team(team)
        do round = 1, 50
            call put_word(partner, 1, value(partner, round, 6))
            call prif_sync_all
            call check(words(1), value(me, round, 6), 'a word put before sync all of a team')
            call prif_sync_images
            call put_word(neighbour(1), me, value(me, round, 7))
            call prif_sync_team(initial)
            call check(words(neighbour(-1)), value(neighbour(-1), round, 7), &
                'a word put before sync team of the initial team')
            call prif_sync_team(initial, state)
            call check(state, 0, 'stat of sync team of the initial team')
        end do
        call prif_end_team
    end subroutine

    subroutine wrong_images
        integer(c_int) :: state
        character(80) :: message
        character(:), allocatable :: whole
        state = 0
        message = ''
        call prif_sync_images([images + 1], state, message)
        call check(state /= 0, 'stat of sync images with an image that does not exist')
        call check(len_trim(message) > 0, 'errmsg of sync images with an image that does not exist')
        state = 0
        whole = 'before'
        call prif_sync_images([0], state, errmsg_alloc=whole)
        call check(state /= 0, 'stat of sync images with image 0')
        call check(whole /= 'before' .and. len(whole) > 0, 'errmsg_alloc of sync images with image 0')
        state = 0
        call prif_sync_images([me, me], state)
        call check(state /= 0, 'stat of sync images with an image twice')
        call prif_sync_all
    end subroutine
end program
