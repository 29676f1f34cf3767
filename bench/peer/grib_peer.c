/* Times ecCodes decoding GRIB messages, for bench/grib.
 *
 *   grib_peer    reads commands from standard input, a line each, and answers each with a line:
 *     load FILE    reads all messages of the file into memory; answers "messages values"
 *     round        decodes every message once; answers the nanoseconds that codes_get_double_array took, and a sum of the values
 *
 * Only codes_get_double_array is timed: each message gets a new handle, as ecCodes keeps decoded values in it.
 */
#include <eccodes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    void* data;
    size_t size, values;
} message;

static message* messages;
static size_t count, values_in_all;
static double* values;
static size_t room;

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int load(const char* name)
{
    int err = 0;
    codes_handle* h;
    FILE* f = fopen(name, "rb");
    if (!f) return 1;
    while (count) free(messages[--count].data);
    values_in_all = 0;
    while ((h = codes_handle_new_from_file(NULL, f, PRODUCT_GRIB, &err)) != NULL) {
        const void* data;
        size_t size, n;
        if (codes_get_message(h, &data, &size) || codes_get_size(h, "values", &n)) return 1;
        messages = realloc(messages, (count + 1) * sizeof *messages);
        messages[count].data = malloc(size);
        messages[count].size   = size;
        messages[count].values = n;
        memcpy(messages[count++].data, data, size);
        values_in_all += n;
        if (n > room) {
            room   = n;
            values = realloc(values, room * sizeof *values);
        }
        codes_handle_delete(h);
    }
    fclose(f);
    return err;
}

static int round_(long long* spent, double* sum)
{
    size_t i, k, n;
    *spent = 0;
    *sum   = 0;
    for (i = 0; i < count; i++) {
        long long start;
        int err;
        codes_handle* h = codes_handle_new_from_message(NULL, messages[i].data, messages[i].size);
        if (!h) return 1;
        n     = messages[i].values;
        start = now();
        err   = codes_get_double_array(h, "values", values, &n);
        *spent += now() - start;
        codes_handle_delete(h);
        if (err) return err;
        for (k = 0; k < n; k += 97) *sum += values[k];
    }
    return 0;
}

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "load ", 5) == 0) {
            if (load(line + 5)) return 1;
            printf("%zu %zu\n", count, values_in_all);
        } else {
            long long spent;
            double sum;
            if (round_(&spent, &sum)) return 1;
            printf("%lld %.17g\n", spent, sum);
        }
        fflush(stdout);
    }
    return 0;
}
