! images: 1 2 3 4 8
! random_init: repeatable or not, the same on all images or distinct.
program random_seeds
    use check_m, only: check, check_end
    implicit none
    integer, parameter :: n = 6
    real(8) :: first(n), second(n)
    real(8), save :: all_of(n, 2)[*]
    integer :: i, j

    call random_init(repeatable=.true., image_distinct=.true.)
    call random_number(first)
    call random_init(repeatable=.true., image_distinct=.true.)
    call random_number(second)
    call check(all(abs(first - second) <= 0), 'repeatable and distinct: the second time')
    all_of(:, 1) = first
    call random_init(repeatable=.true., image_distinct=.false.)
    call random_number(first)
    call random_init(repeatable=.true., image_distinct=.false.)
    call random_number(second)
    call check(all(abs(first - second) <= 0), 'repeatable and not distinct: the second time')
    all_of(:, 2) = first
    sync all
    do i = 1, num_images()
        second = all_of(:, 2)[i]
        call check(all(abs(first - second) <= 0), 'repeatable and not distinct: the images')
        do j = i + 1, num_images()
            first = all_of(:, 1)[i]
            second = all_of(:, 1)[j]
            call check(all(abs(first - second) > 0), 'repeatable and distinct: the images')
        end do
        first = all_of(:, 2)
    end do
    sync all

    call random_init(repeatable=.false., image_distinct=.true.)
    call random_number(first)
    call random_init(repeatable=.false., image_distinct=.true.)
    call random_number(second)
    call check(all(abs(first - second) > 0), 'not repeatable: the second time')
    all_of(:, 1) = first
    call random_init(repeatable=.false., image_distinct=.false.)
    call random_number(first)
    all_of(:, 2) = first
    sync all
    do i = 1, num_images()
        second = all_of(:, 2)[i]
        call check(all(abs(first - second) <= 0), 'not repeatable and not distinct: the images')
        do j = i + 1, num_images()
            first = all_of(:, 1)[i]
            second = all_of(:, 1)[j]
            call check(all(abs(first - second) > 0), 'not repeatable and distinct: the images')
        end do
        first = all_of(:, 2)
    end do
    call check_end
end program
