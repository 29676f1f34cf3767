/* Decodes the fields of GRIB 2 messages with NCEP's g2c, bitmaps expanded, for g2c_compare.py.

   usage: g2c_read FILE OUT     of each field: the number of points, its error or 0, and the points as floats; missing ones are 9.999e20
   build: cc -o g2c_read g2c_read.c -lg2c -lm */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <grib2.h>

static FILE *out; /* and not standard output, to which g2c prints */

static void put(int32_t n, int32_t error, const g2float *values, const g2int *bitmap)
{
    fwrite(&n, 4, 1, out);
    fwrite(&error, 4, 1, out);
    for (int32_t i = 0; i < n; i++) {
        float v = bitmap && !bitmap[i] ? 9.999e20f : values[i];
        fwrite(&v, 4, 1, out);
    }
}

int main(int argc, char **argv)
{
    FILE *f = argc == 3 ? fopen(argv[1], "rb") : NULL;
    unsigned char head[16];
    if (!f || !(out = fopen(argv[2], "wb")))
        return 2;
    while (fread(head, 1, 16, f) == 16 && memcmp(head, "GRIB", 4) == 0 && head[7] == 2) {
        size_t length = 0;
        for (int i = 8; i < 16; i++)
            length = length << 8 | head[i];
        unsigned char *message = malloc(length);
        if (!message)
            return 1;
        memcpy(message, head, 16);
        if (fread(message + 16, 1, length - 16, f) != length - 16)
            return 1;
        g2int sec0[3], sec1[13], fields = 0, locals = 0;
        int32_t error = g2_info(message, sec0, sec1, &fields, &locals);
        for (g2int i = 1; error == 0 && i <= fields; i++) {
            gribfield *field = NULL;
            int32_t e = g2_getfld(message, i, 1, 1, &field);
            if (e) { /* the field is not freed: g2c has done so, or not */
                put(0, e, NULL, NULL);
                continue;
            }
            put(field->ngrdpts, 0, field->fld, field->ibmap == 0 || field->ibmap == 254 ? field->bmap : NULL);
            g2_free(field);
        }
        if (error)
            put(0, error, NULL, NULL);
        free(message);
    }
    return fclose(out) != 0;
}
