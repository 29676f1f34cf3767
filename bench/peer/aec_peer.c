/* aec_peer runs libaec for the interop tests and benchmarks of codec/aec. It reads requests from standard input and
 * writes answers to standard output until the input ends.
 *
 *   gcc -O2 -o aec_peer aec_peer.c -I .../eccodeslib/include -L .../eccodeslib/lib64 -laec -Wl,-rpath,.../eccodeslib/lib64
 *
 * All numbers are little-endian (the host's; the peer is a tool for one machine).
 *
 *   request   8 x u64: op, bits per sample, block size, rsi, flags, input bytes, output bytes, argument
 *             op range: + 2 x u64: first byte, count of offsets; then the offsets
 *             then the input
 *   answer    4 x u64: status, output bytes, offsets, nanoseconds of the fastest repetition
 *             then the output, then the offsets
 *
 * ops: 1 encode, 2 decode, 3 decode a range, 4 and 5 time encoding and decoding, argument repetitions each.
 */
#include <libaec.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ENCODE = 1, DECODE, RANGE, TIME_ENCODE, TIME_DECODE };

static void must_read(void *p, size_t n)
{
    if (n && fread(p, 1, n, stdin) != n) exit(1);
}

static void *must_alloc(size_t n)
{
    void *p = calloc(1, n + 64);
    if (!p) exit(2);
    return p;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void set(struct aec_stream *s, const uint64_t *q, unsigned char *in, unsigned char *out)
{
    memset(s, 0, sizeof *s);
    s->bits_per_sample = (unsigned)q[1];
    s->block_size = (unsigned)q[2];
    s->rsi = (unsigned)q[3];
    s->flags = (unsigned)q[4];
    s->next_in = in;
    s->avail_in = q[5];
    s->next_out = out;
    s->avail_out = q[6];
}

static int encode(struct aec_stream *s, size_t **offsets, size_t *count)
{
    int rc = aec_encode_init(s), end;
    if (rc != AEC_OK) return rc;
    if ((rc = aec_encode_enable_offsets(s)) == AEC_OK) rc = aec_encode(s, AEC_FLUSH);
    if (rc == AEC_OK && (rc = aec_encode_count_offsets(s, count)) == AEC_OK) {
        *offsets = must_alloc(*count * sizeof **offsets);
        rc = aec_encode_get_offsets(s, *offsets, *count);
    }
    end = aec_encode_end(s);
    return rc != AEC_OK ? rc : end;
}

static int decode(struct aec_stream *s, size_t **offsets, size_t *count)
{
    int rc = aec_decode_init(s);
    if (rc != AEC_OK) return rc;
    if ((rc = aec_decode_enable_offsets(s)) == AEC_OK) rc = aec_decode(s, AEC_FLUSH);
    if (rc == AEC_OK && (rc = aec_decode_count_offsets(s, count)) == AEC_OK) {
        *offsets = must_alloc(*count * sizeof **offsets);
        rc = aec_decode_get_offsets(s, *offsets, *count);
    }
    aec_decode_end(s);
    return rc;
}

static int range(struct aec_stream *s, size_t first, size_t *offsets, size_t count)
{
    int rc = aec_decode_init(s);
    if (rc != AEC_OK) return rc;
    rc = aec_decode_range(s, offsets, count, first, s->avail_out);
    aec_decode_end(s);
    return rc;
}

int main(void)
{
    uint64_t q[8];
    while (fread(q, sizeof q, 1, stdin) == 1) {
        uint64_t r[2] = {0, 0}, a[4] = {0, 0, 0, 0};
        size_t *offsets = NULL, count = 0;
        struct aec_stream s;
        int rc = 0;

        if (q[0] == RANGE) {
            must_read(r, sizeof r);
            offsets = must_alloc(r[1] * sizeof *offsets);
            must_read(offsets, r[1] * sizeof *offsets);
        }
        unsigned char *in = must_alloc(q[5]), *out = must_alloc(q[6]);
        must_read(in, q[5]);
        set(&s, q, in, out);
        switch (q[0]) {
        case ENCODE: rc = encode(&s, &offsets, &count); break;
        case DECODE: rc = decode(&s, &offsets, &count); break;
        case RANGE: rc = range(&s, r[0], offsets, r[1]); break;
        default:
            a[3] = UINT64_MAX;
            for (uint64_t i = 0; i < q[7] && rc == 0; i++) {
                uint64_t t = now();
                set(&s, q, in, out);
                rc = q[0] == TIME_ENCODE ? aec_buffer_encode(&s) : aec_buffer_decode(&s);
                t = now() - t;
                if (t < a[3]) a[3] = t;
            }
        }
        a[0] = (uint64_t)(int64_t)rc;
        a[1] = rc == 0 ? s.total_out : 0; /* next_out can be a byte short */
        a[2] = count;
        fwrite(a, sizeof a, 1, stdout);
        fwrite(out, 1, a[1], stdout);
        fwrite(offsets, sizeof *offsets, count, stdout);
        if (fflush(stdout)) return 1;
        free(in);
        free(out);
        free(offsets);
    }
    return 0;
}
