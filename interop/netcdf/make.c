/* Makes HDF5 files with features that h5py cannot ask for: shared messages, heaps with filters, narrow addresses.

   usage: make_c FOLDER
   build: h5cc -o make_c make.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hdf5.h"

static const char *folder;

static hid_t create(const char *name, hid_t fcpl, int latest)
{
    char path[4096];
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), f;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    H5Pset_libver_bounds(fapl, latest ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
    f = H5Fcreate(path, H5F_ACC_TRUNC, fcpl, fapl);
    H5Pclose(fapl);
    if (f < 0) exit(1);
    return f;
}

static void attribute(hid_t obj, const char *name, hid_t type, int n, const void *data)
{
    hsize_t dim = n;
    hid_t s = H5Screate_simple(1, &dim, NULL), a = H5Acreate2(obj, name, type, s, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, type, data);
    H5Aclose(a);
    H5Sclose(s);
}

/* fill writes datasets and attributes that repeat types, shapes, fill values, filters and whole attributes */
static void fill(hid_t f)
{
    static int big[20000];
    int i, j, data[24];
    double pair[2] = {1.5, -2.5};
    hsize_t dims[2] = {4, 6}, chunk[2] = {2, 3};
    hid_t s = H5Screate_simple(2, dims, NULL), p = H5Pcreate(H5P_DATASET_CREATE);
    int fillvalue = 77;
    H5Pset_chunk(p, 2, chunk);
    H5Pset_shuffle(p);
    H5Pset_deflate(p, 6);
    H5Pset_fill_value(p, H5T_NATIVE_INT, &fillvalue);
    for (i = 0; i < 24; i++) data[i] = i * i;
    for (i = 0; i < 20000; i++) big[i] = i;
    for (i = 0; i < 12; i++) {
        char name[32];
        hid_t d;
        snprintf(name, sizeof name, "d%02d", i);
        d = H5Dcreate2(f, name, H5T_STD_I32BE, s, H5P_DEFAULT, p, H5P_DEFAULT);
        if (i != 3) H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
        for (j = 0; j < (i == 5 ? 40 : 3); j++) {
            snprintf(name, sizeof name, "a%02d", j);
            attribute(d, name, H5T_IEEE_F64LE, 2, pair);
        }
        H5Dclose(d);
    }
    H5Pclose(p);
    H5Sclose(s);
}

/* huge gives an object attributes too long for a heap's blocks */
static void huge(hid_t f)
{
    static int big[40000];
    hsize_t one = 1;
    int i;
    char name[32];
    hid_t s = H5Screate_simple(1, &one, NULL), d = H5Dcreate2(f, "huge", H5T_STD_I32LE, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (i = 0; i < 40000; i++) big[i] = 3 * i;
    for (i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "h%02d", i);
        attribute(d, name, H5T_STD_I32LE, i < 3 ? 30000 + i : 10 * i, big);
    }
    H5Dclose(d);
    H5Sclose(s);
}

static void shared(const char *name, int btree, int latest)
{
    hid_t fcpl = H5Pcreate(H5P_FILE_CREATE), f;
    H5Pset_shared_mesg_nindexes(fcpl, 2);
    H5Pset_shared_mesg_index(fcpl, 0, H5O_SHMESG_ATTR_FLAG, 20);
    H5Pset_shared_mesg_index(fcpl, 1, H5O_SHMESG_ALL_FLAG & ~H5O_SHMESG_ATTR_FLAG, 10);
    H5Pset_shared_mesg_phase_change(fcpl, btree ? 0 : 500, 0);
    f = create(name, fcpl, latest);
    fill(f);
    H5Fclose(f);
    H5Pclose(fcpl);
}

int main(int argc, char **argv)
{
    hid_t f, p, g;
    int i, widths[] = {2, 4};
    folder = argv[1];
    if (argc != 2) return 2;
    shared("shared_list.h5", 0, 1);
    shared("shared_tree.h5", 1, 1);
    shared("shared_earliest.h5", 0, 0);
    for (i = 0; i < 2; i++) {
        char name[32];
        p = H5Pcreate(H5P_FILE_CREATE);
        H5Pset_sizes(p, widths[i], widths[i]);
        snprintf(name, sizeof name, "width%d.h5", widths[i]);
        f = create(name, p, 0);
        fill(f);
        H5Fclose(f);
        if (widths[i] == 2) continue; /* the library cannot read what it writes */
        snprintf(name, sizeof name, "width%d_latest.h5", widths[i]);
        f = create(name, p, 1);
        fill(f);
        H5Fclose(f);
        H5Pclose(p);
    }
    p = H5Pcreate(H5P_FILE_CREATE);
    f = create("huge.h5", p, 1);
    huge(f);
    H5Fclose(f);
    H5Pclose(p);

    f = create("heap_filter.h5", H5P_DEFAULT, 1);
    p = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_deflate(p, 6);
    H5Pset_fletcher32(p);
    H5Pset_link_phase_change(p, 0, 0);
    g = H5Gcreate2(f, "filtered", H5P_DEFAULT, p, H5P_DEFAULT);
    fill(g);
    for (i = 0; i < 300; i++) {
        char name[256];
        memset(name, 'a' + i % 26, 200);
        snprintf(name + (i == 7 ? 200 : 40), 40, "_%d", i);
        H5Gclose(H5Gcreate2(g, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    H5Gclose(g);
    H5Fclose(f);
    return 0;
}
