! Writes GRIB 1 messages with GRIBEX, ECMWF's encoder before ecCodes, which made most of the older archives: simple packing, every kind of
! second-order packing, spherical harmonics, bitmaps, regular and reduced grids.
!
!   gribex_make FILE SEED MESSAGES POINTS     fields of at most POINTS points
!   gfortran -ffree-line-length-none -o gribex_make gribex_make.f90 -lemosR64
!
! Not made are boustrophedonic fields with a bitmap: GRIBEX leaves the bitmap as it is, ecCodes turns every other row of it.
! grib/testdata/gribex.grib is what ecCodes reads without a crash of seed 3, 60 messages, 100 points.
program gribex_make
  implicit none
  integer, parameter :: largest = 20000
  real(8), parameter :: missing = -99999
  integer :: sec0(2), sec1(1024), sec2(1024), sec3(2), sec4(512), message(100000)
  real(8) :: real2(512), real3(2), values(largest)
  integer :: i, made, wanted, points, n, code, words, seed(33)
  character(1) :: what
  character(300) :: path, word

  call get_command_argument(1, path)
  call get_command_argument(2, word)
  read (word, *) seed(1)
  call get_command_argument(3, word)
  read (word, *) wanted
  call get_command_argument(4, word)
  read (word, *) points
  seed(2:) = 7
  call random_seed(put=seed)
  open (10, file=trim(path), access='stream', form='unformatted', status='replace')
  made = 0
  do while (made < wanted)
    sec0 = 0; sec1 = 0; sec2 = 0; sec3 = 0; sec4 = 0; real2 = 0; real3 = 0; message = 0
    what = 'C'
    call product
    if (one_in(8)) then
      call harmonics
    else
      if (one_in(3)) then
        call reduced
      else
        call regular
      end if
      call field
      call packing
    end if
    sec4(1) = n
    sec4(2) = between(1, 24)
    code = 1
    call gribex(sec0, sec1, sec2, real2, sec3, real3, sec4, values, n, message, size(message), words, what, code)
    if (code <= 0) call put
  end do
  close (10)

contains

  integer function between(a, b)
    integer, intent(in) :: a, b
    between = min(b, a + int(uniform()*(b - a + 1)))
  end function

  real(8) function uniform()
    call random_number(uniform)
  end function

  logical function one_in(k)
    integer, intent(in) :: k
    one_in = between(1, k) == 1
  end function

  subroutine product
    integer :: levels(4) = [1, 100, 105, 109], centres(3) = [98, 7, 78]
    sec1(1) = 128; sec1(2) = centres(between(1, 3)); sec1(3) = 120; sec1(4) = 255; sec1(5) = 128
    sec1(6) = between(129, 170); sec1(7) = levels(between(1, 4))
    if (sec1(7) /= 1) sec1(8) = between(1, 60)
    sec1(10) = between(1, 25); sec1(11) = between(1, 12); sec1(12) = between(1, 28); sec1(13) = between(0, 23)
    sec1(15) = 1; sec1(16) = between(0, 240); sec1(21) = 21
    if (one_in(4)) sec1(23) = between(-2, 3)
  end subroutine

  subroutine regular
    integer :: nx, ny, south
    nx = between(2, max(2, points/4)); ny = between(2, max(2, points/nx)); n = nx*ny
    south = 60000 - (ny - 1)*250
    sec2(2) = nx; sec2(3) = ny; sec2(4) = 60000; sec2(5) = -20000; sec2(6) = 128; sec2(7) = south
    sec2(8) = -20000 + (nx - 1)*250; sec2(9) = 250; sec2(10) = 250
    if (one_in(4)) then
      sec2(4) = south; sec2(7) = 60000; sec2(11) = 64
    end if
  end subroutine

  ! A reduced Gaussian grid of N 8 or 4.
  subroutine reduced
    integer :: rows
    rows = merge(16, 8, points > 400)
    sec2(1) = 4; sec2(3) = rows; sec2(4) = merge(83000, 75000, rows == 16); sec2(7) = -sec2(4); sec2(8) = 348750
    sec2(10) = rows/2; sec2(17) = 1
    n = 0
    do i = 1, rows
      sec2(22 + i) = min(merge(32, 20, rows == 16), 4 + 4*min(i, rows + 1 - i)); n = n + sec2(22 + i)
    end do
  end subroutine

  subroutine harmonics
    integer :: t
    t = between(3, max(3, int(sqrt(real(points))) - 2)); n = (t + 1)*(t + 2)
    sec2(1) = 50; sec2(2) = t; sec2(3) = t; sec2(4) = t; sec2(5) = 1; sec2(6) = between(1, 2)
    do i = 1, n
      values(i) = 100*(uniform() - 0.5d0)/(1 + i)
    end do
    sec4(3) = 128
    if (sec2(6) == 2) then
      sec4(4) = 64; sec4(17) = between(-1500, 1500); sec4(18:20) = between(1, t - 1)
    end if
  end subroutine

  ! Smooth values with noise, or equal ones, of any size; a bitmap for some.
  subroutine field
    real(8) :: base, amplitude
    base = 0
    if (.not. one_in(4)) base = (uniform() - 0.4d0)*10d0**between(0, 6)
    amplitude = 10d0**between(-4, 5)
    if (one_in(15)) amplitude = 0
    do i = 1, n
      values(i) = base + amplitude*(sin(i*0.11d0)*cos(i*0.003d0) + 0.05d0*uniform())
    end do
    if (one_in(4)) then
      sec1(5) = 192; real3(2) = missing
      do i = 1, n
        if (one_in(3)) values(i) = missing
      end do
    end if
  end subroutine

  subroutine packing
    logical :: to_and_fro
    to_and_fro = sec1(5) == 128 .and. one_in(2)
    i = between(1, 9)
    if (i == 1) return
    sec4(4) = 64; sec4(6) = 16
    if (i == 2) then ! groups of constant width
      sec4(9) = 32; sec4(11) = between(1, 8)
      return
    end if
    sec4(10) = 16
    select case (i)
    case (3) ! row by row
    case (4) ! general, of WMO
      sec4(9) = 32
    case default ! general, extended, with differences of order 0 to 3
      sec4(12) = 8
      if (to_and_fro) sec4(13) = 4
      if (i == 6 .or. i == 8) sec4(15) = 1
      if (i == 7 .or. i == 8) sec4(14) = 2
      if (i == 9) what = 'K'
    end select
  end subroutine

  subroutine put
    integer(1) :: bytes(400000)
    integer :: length
    bytes = transfer(message, bytes)
    length = ishft(iand(int(bytes(5)), 255), 16) + ishft(iand(int(bytes(6)), 255), 8) + iand(int(bytes(7)), 255)
    write (10) bytes(1:length)
    made = made + 1
  end subroutine
end program
