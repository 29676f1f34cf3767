/* Writes GRIB 2 messages with NCEP's g2c, an encoder that shares nothing with ecCodes: packings 5.0, 5.2, 5.3, 5.40 and 5.41 (and
   the numbers 40000 and 40010 that these once had), bitmaps, missing value management, several fields in a message, on six grids.

   g2c writes behind its arrays for some fields of complex packing. So each message is made in a process of its own, and those that g2c
   does not read back as they were meant are left out. grib/testdata/g2c.grib is what ecCodes reads of seed 5, 48 messages, 120 points.

   usage: g2c_make FILE SEED MESSAGES POINTS     fields of at most POINTS points
   build: cc -o g2c_make g2c_make.c -lg2c -lm */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <grib2.h>

void mkieee(g2float *values, g2int *coded, g2int n);

enum { MAX_POINTS = 1 << 16, MAX_MESSAGE = 1 << 20 };

static unsigned char message[MAX_MESSAGE];
static g2float values[MAX_POINTS];
static g2int bitmap[MAX_POINTS];

static int below(int n) { return rand() % n; }
static int one_in(int n) { return below(n) == 0; }
static double fraction(void) { return rand() / (double)RAND_MAX; }

static g2int ieee(g2float v)
{
    g2int coded;
    mkieee(&v, &coded, 1);
    return coded;
}

/* begin writes sections 0 and 1, and at times a local section. */
static void begin(void)
{
    static const g2int centres[] = {7, 8, 34, 40, 54, 59, 60, 74, 78, 84, 85, 97, 98, 161, 173, 211};
    g2int indicator[2] = {0, 2};
    g2int identification[13] = {centres[below(16)], below(3), 2 + below(25), below(2), 1, 2000 + below(26), 1 + below(12), 1 + below(28),
                                below(24), 0, 0, below(2), 1 + below(5)};
    g2_create(message, indicator, identification);
    if (one_in(8)) g2_addlocal(message, (unsigned char *)"local", 5);
}

/* add_grid writes section 3 for nx by ny points. */
static void add_grid(int nx, int ny)
{
    static const g2int modes[] = {0, 64, 0, 64, 128, 192, 16, 80, 32, 96};
    g2int mode = modes[below(one_in(3) ? 10 : 4)], step = 250000 * (1 + below(4)), west = below(4) * 90000000, south = -20000000;
    g2int east = (west + (nx - 1) * step) % 360000000, north = south + (ny - 1) * step;
    g2int number, t[25] = {6, 0, 0, 0, 0, 0, 0, nx, ny};
    switch (below(6)) {
    case 0: {
        g2int mercator[] = {20000000, 230000000, 48, 20000000, 50000000, 300000000, mode, 0, 13545000, 13545000};
        number = 10;
        memcpy(t + 9, mercator, sizeof mercator);
        break;
    }
    case 1: {
        int below_equator = one_in(2);
        g2int stereographic[] = {below_equator ? -20000000 : 20000000, 225000000, 8, below_equator ? -60000000 : 60000000, 249000000,
                                 32463000, 32463000, below_equator ? 128 : 0, mode};
        number = 20;
        memcpy(t + 9, stereographic, sizeof stereographic);
        break;
    }
    case 2: {
        g2int lambert[] = {12190000, 226541000, 8, 25000000, 265000000, 40635000, 40635000, 0, mode,
                           25000000, one_in(2) ? 25000000 : 55000000, -90000000};
        number = 30;
        memcpy(t + 9, lambert, sizeof lambert);
        break;
    }
    case 3: {
        g2int rotated[] = {0, 0, south, west, 48, north, east, step, step, 64, -40000000, 10000000};
        number = 1;
        memcpy(t + 9, rotated, sizeof rotated);
        break;
    }
    default: {
        g2int regular[] = {0, 0, mode & 64 ? south : north, mode & 128 ? east : west, 48, mode & 64 ? north : south, mode & 128 ? west : east,
                           step, step, mode};
        number = 0;
        memcpy(t + 9, regular, sizeof regular);
    }
    }
    g2int definition[5] = {0, nx * ny, 0, 0, number};
    g2_addgrid(message, definition, t, 0, 0);
}

/* make_values fills n values: smooth, noisy, or all equal, of any size. */
static void make_values(int n, int nx)
{
    double base = one_in(5) ? 0 : (fraction() - 0.3) * pow(10, below(7) - 2);
    double amplitude = one_in(10) ? 0 : pow(10, below(8) - 4), noise = 0.02 * below(3);
    for (int i = 0; i < n; i++) values[i] = base + amplitude * (sin(i % nx * .1) * cos(i / nx * .13) + noise * fraction());
    if (one_in(10))
        for (int i = 0; i < n; i++) values[i] *= one_in(3);
}

/* product fills template 4.number, which it returns. */
static g2int product(g2int *t)
{
    g2int layer = one_in(4);
    g2int common[] = {below(20), below(30), 2, 0, 96, 0, 0, 1, below(200), layer ? 106 : 100, layer ? 2 : 0, layer ? below(50) : 100 * below(1000),
                      layer ? 106 : 255, layer ? 2 : 0, layer ? 50 + below(100) : 0};
    memcpy(t, common, sizeof common);
    switch (below(4)) {
    case 0: {
        g2int member[] = {below(5), below(50), 51};
        memcpy(t + 15, member, sizeof member);
        return 1;
    }
    case 1: {
        g2int derived[] = {below(7), 51};
        memcpy(t + 15, derived, sizeof derived);
        return 2;
    }
    case 2: {
        g2int interval[] = {2020, 1 + below(12), 1 + below(28), below(24), 0, 0, 1, 0, below(10), 2, 1, below(24), 255, 0};
        memcpy(t + 15, interval, sizeof interval);
        return 8;
    }
    }
    return 0;
}

/* packing fills the template of section 5, whose number it returns, and puts the numbers that stand for missing points among the values. */
static g2int packing(g2int *t, int n)
{
    static const g2int numbers[] = {0, 0, 2, 2, 3, 3, 3, 40, 41, 40000, 40010};
    g2int number = numbers[below(11)];
    t[1] = one_in(3) ? -below(12) : 0;
    t[2] = one_in(3) ? 0 : below(5) - 1;
    if (t[1] == 0 && t[2] == 0 && one_in(2)) t[3] = 1 + below(24);
    if (number == 40 || number == 40000) {
        t[5] = one_in(4);
        t[6] = t[5] ? 2 + below(10) : 255;
    }
    if (number == 2 || number == 3) {
        t[5] = 1;
        t[16] = number == 3 ? 1 + below(2) : 0;
        if (one_in(4)) {
            t[6] = 1 + below(2);
            t[7] = ieee(9.999e20f);
            t[8] = ieee(-9.999e20f);
            for (int i = 0; i < n; i++)
                if (one_in(5)) values[i] = t[6] == 2 && one_in(2) ? -9.999e20f : 9.999e20f;
        }
    }
    return number;
}

/* reads_back tells whether field number f, the n values of which are still there, comes back within its precision. Lossy JPEG is not
   judged. */
static int reads_back(int f, int n)
{
    gribfield *got;
    if (g2_getfld(message, f + 1, 1, 1, &got)) return 0;
    g2int *t = got->idrtmpl, jpeg = got->idrtnum == 40 || got->idrtnum == 40000;
    int good = 1;
    for (int i = 0; i < n && !(jpeg && t[5]); i++) {
        int there = got->ibmap == 255 || got->bmap[i];
        double tolerance = pow(2, t[1]) * pow(10, -t[2]) + 1e-6 * fabs(values[i]);
        if (there && fabs(values[i]) < 1e20 && fabs(got->fld[i] - values[i]) > tolerance) good = 0;
    }
    g2_free(got);
    return good;
}

/* make writes one message into the buffer and returns its length, 0 when g2c refuses. */
static g2int make(int points)
{
    int nx = 1 + below(points / 8), ny = 1 + below(points / nx < 90 ? points / nx : 90), n = nx * ny;
    int fields = one_in(6) ? 2 : 1, mapped = 0;
    begin();
    add_grid(nx, ny);
    for (int f = 0; f < fields; f++) {
        g2int productt[40] = {0}, packingt[40] = {0}, p = product(productt), indicator = 255;
        make_values(n, nx);
        g2int number = packing(packingt, n);
        if (mapped) {
            indicator = 254;
        } else if (packingt[6] != 1 && packingt[6] != 2 && one_in(4)) {
            indicator = 0;
            mapped = 1;
            for (int i = 0; i < n; i++) bitmap[i] = !one_in(4);
        }
        if (g2_addfield(message, p, productt, NULL, 0, number, packingt, values, n, indicator, bitmap) < 0) return 0;
        if (f == fields - 1) {
            g2int length = g2_gribend(message);
            return length > 0 && reads_back(f, n) ? length : 0;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    int out = argc == 5 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    int points = argc == 5 ? atoi(argv[4]) : 0;
    if (out < 0 || points < 8 || points > MAX_POINTS) {
        fprintf(stderr, "usage: g2c_make FILE SEED MESSAGES POINTS\n");
        return 2;
    }
    for (int i = 0; i < atoi(argv[3]); i++) {
        if (fork() == 0) {
            srand(atoi(argv[2]) * 100000 + i);
            g2int length = make(points);
            if (length > 0) _exit(write(out, message, length) != length);
            _exit(0);
        }
        wait(NULL);
    }
    return close(out) != 0;
}
