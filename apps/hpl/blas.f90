!> The interfaces of the BLAS routines that HPL uses, and of two LAPACK routines that OpenBLAS also has.
!>
!> The caller passes a matrix as its first element and the distance between its columns, as in BLAS.
module blas
    use, intrinsic :: iso_c_binding, only: c_int
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none
    private
    public :: idamax, dscal, dger, dgemv, dtrsv, dgemm, dtrsm, dtrmm, dtrtri, dlaswp, blas_start

    interface
        !> The index of the element that is largest in absolute value.
        pure integer function idamax(n, x, incx)
            import :: real64
            integer, intent(in) :: n, incx
            real(real64), intent(in) :: x(*)
        end function

        !> x := alpha x
        pure subroutine dscal(n, alpha, x, incx)
            import :: real64
            integer, intent(in) :: n, incx
            real(real64), intent(in) :: alpha
            real(real64), intent(inout) :: x(*)
        end subroutine

        !> A := alpha x y^T + A
        pure subroutine dger(m, n, alpha, x, incx, y, incy, a, lda)
            import :: real64
            integer, intent(in) :: m, n, incx, incy, lda
            real(real64), intent(in) :: alpha, x(*), y(*)
            real(real64), intent(inout) :: a(lda, *)
        end subroutine

        !> y := alpha A x + beta y
        pure subroutine dgemv(trans, m, n, alpha, a, lda, x, incx, beta, y, incy)
            import :: real64
            character, intent(in) :: trans
            integer, intent(in) :: m, n, lda, incx, incy
            real(real64), intent(in) :: alpha, beta, a(lda, *), x(*)
            real(real64), intent(inout) :: y(*)
        end subroutine

        !> x := A^-1 x, A triangular
        pure subroutine dtrsv(uplo, trans, diag, n, a, lda, x, incx)
            import :: real64
            character, intent(in) :: uplo, trans, diag
            integer, intent(in) :: n, lda, incx
            real(real64), intent(in) :: a(lda, *)
            real(real64), intent(inout) :: x(*)
        end subroutine

        !> C := alpha A B + beta C
        pure subroutine dgemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
            import :: real64
            character, intent(in) :: transa, transb
            integer, intent(in) :: m, n, k, lda, ldb, ldc
            real(real64), intent(in) :: alpha, beta, a(lda, *), b(ldb, *)
            real(real64), intent(inout) :: c(ldc, *)
        end subroutine

        !> B := alpha A^-1 B, or alpha B A^-1, A triangular
        pure subroutine dtrsm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
            import :: real64
            character, intent(in) :: side, uplo, transa, diag
            integer, intent(in) :: m, n, lda, ldb
            real(real64), intent(in) :: alpha, a(lda, *)
            real(real64), intent(inout) :: b(ldb, *)
        end subroutine

        !> B := alpha A B, or alpha B A, A triangular
        pure subroutine dtrmm(side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
            import :: real64
            character, intent(in) :: side, uplo, transa, diag
            integer, intent(in) :: m, n, lda, ldb
            real(real64), intent(in) :: alpha, a(lda, *)
            real(real64), intent(inout) :: b(ldb, *)
        end subroutine

        !> A := A^-1, A triangular
        pure subroutine dtrtri(uplo, diag, n, a, lda, info)
            import :: real64
            character, intent(in) :: uplo, diag
            integer, intent(in) :: n, lda
            real(real64), intent(inout) :: a(lda, *)
            integer, intent(out) :: info
        end subroutine

        !> Exchanges row i and row ipiv(i) of A, for i from k1 to k2.
        pure subroutine dlaswp(n, a, lda, k1, k2, ipiv, incx)
            import :: real64
            integer, intent(in) :: n, lda, k1, k2, ipiv(*), incx
            real(real64), intent(inout) :: a(lda, *)
        end subroutine

        subroutine openblas_set_num_threads(threads) bind(c)
            import :: c_int
            integer(c_int), value :: threads
        end subroutine
    end interface

contains

    !> Gives every image one BLAS thread, whatever the environment says, because the images run in parallel.
    subroutine blas_start()
        call openblas_set_num_threads(1_c_int)
    end subroutine
end module
