package tgm

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"

	"github.com/tgmconv/tgmconv/internal/plaincbor"
)

// Keys of the metadata map.
const (
	keyBase     = "base"
	keyExtra    = "_extra_"
	keyReserved = "_reserved_"
	keyVersion  = "version"
)

// Metadata describes a message and, in Base, each of its objects.
//
// Values are string, int64, uint64 (only above 2^63-1), float64, bool, []byte, nil, []any,
// map[string]any and Tag. Keys of inner maps that are not text have the text of CBOR's diagnostic
// notation, such as 1 or h'00ff'.
type Metadata struct {
	// Base has one entry per object; under "_reserved_" an entry holds the encoder's description of
	// the tensor.
	Base []map[string]any
	// Extra is the metadata of the message as a whole.
	Extra map[string]any
	// Reserved is the provenance that the encoder wrote.
	Reserved map[string]any
}

// parseMetadata reads the content of a metadata frame; bytes after the map are ignored.
func parseMetadata(b []byte, at Location) (*Metadata, error) {
	m, _, err := decodeMap(modes.decode, b)
	if err != nil {
		return nil, metadataError("metadata_cbor_parse_failed", at, err, "metadata")
	}
	md, err := metadataFromMap(m)
	if err != nil {
		return nil, metadataError("metadata_cbor_parse_failed", at, err, "metadata")
	}
	return md, nil
}

func metadataFromMap(m map[string]any) (*Metadata, error) {
	md := &Metadata{Extra: map[string]any{}, Reserved: map[string]any{}}
	for key, v := range m {
		var err error
		switch key {
		case keyBase:
			md.Base, err = baseFromCBOR(v)
		case keyExtra:
			err = mergeMap(md.Extra, v)
		case keyReserved:
			err = mergeMap(md.Reserved, v)
		default:
			if key == keyVersion && v == int64(WireVersion) {
				continue // for readers of release 0.17, which require it
			}
			err = mergeMap(md.Extra, map[string]any{key: v})
		}
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", key, err)
		}
	}
	return md, nil
}

// mergeMap adds the entries of v, a map, to dst; a key that is there already is an error.
func mergeMap(dst map[string]any, v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("found %s, expected a map", cborKind(v))
	}
	for k, item := range m {
		if _, dup := dst[k]; dup {
			return fmt.Errorf("%s is both at the top and in %s", k, keyExtra)
		}
		dst[k] = item
	}
	return nil
}

func baseFromCBOR(v any) ([]map[string]any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("found %s, expected an array", cborKind(v))
	}
	base := make([]map[string]any, len(list))
	for i, item := range list {
		if base[i], ok = item.(map[string]any); !ok {
			return nil, fmt.Errorf("[%d]: found %s, expected a map", i, cborKind(item))
		}
	}
	return base, nil
}

// withoutReserved returns the entry without the keys that the encoder added.
func withoutReserved(m map[string]any) map[string]any {
	if _, ok := m[keyReserved]; !ok {
		return m
	}
	m = maps.Clone(m)
	delete(m, keyReserved)
	return m
}

// errReserved is the answer to callers who supply a key that only the encoder writes.
var errReserved = errors.New("the key " + keyReserved + " is the encoder's to write")

// marshalBase returns the CBOR of the base entry of an object: the caller's metadata with the
// tensor's description.
func marshalBase(base map[string]any, d *Descriptor) ([]byte, error) {
	if _, ok := base[keyReserved]; ok {
		return nil, errReserved
	}
	reserved := map[string]any{keyReserved: map[string]any{"tensor": map[string]any{
		keyNDim: len(d.Shape), keyDType: d.DType.String(), keyShape: nonNil(d.Shape), keyStrides: nonNil(d.Strides),
	}}}
	if coded, ok := plaincbor.MarshalUnion(base, reserved); ok {
		return coded, nil
	}
	m, err := mapToCBOR(base)
	if err != nil {
		return nil, err
	}
	maps.Copy(m, reserved)
	return modes.encode.Marshal(m)
}

// metadataParts is the CBOR of a message's metadata except for the base entries between the two
// parts.
type metadataParts struct{ before, after []byte }

// marshalMetadata returns the CBOR around the given number of base entries. Their key comes first:
// it is the shortest.
func marshalMetadata(entries int, extra map[string]any, p Provenance) (parts metadataParts, err error) {
	if _, ok := extra[keyReserved]; ok {
		return parts, errReserved
	}
	x, err := mapToCBOR(extra)
	if err != nil {
		return parts, err
	}
	m := map[string]any{
		keyReserved: map[string]any{
			"encoder": map[string]any{"name": p.EncoderName, keyVersion: p.EncoderVersion},
			"time":    p.Time.UTC().Format("2006-01-02T15:04:05Z"),
			"uuid":    p.UUID,
		},
		// A 0.17 reader requires the key.
		keyVersion: WireVersion,
	}
	if v, ok := x[keyVersion]; ok && v != int64(WireVersion) {
		return parts, fmt.Errorf("the key %s is %v, expected the wire version %d", keyVersion, v, WireVersion)
	}
	delete(x, keyVersion)
	if len(x) > 0 {
		m[keyExtra] = x
	}
	rest, err := modes.encode.Marshal(m)
	if err != nil {
		return parts, err
	}
	parts.before = plaincbor.AppendHead(nil, cborMap, uint64(len(m)+1))
	parts.before = plaincbor.AppendHead(appendCBORText(parts.before, keyBase), cborArray, uint64(entries))
	// A map of so few pairs has a head of one byte.
	parts.after = rest[1:]
	return parts, nil
}

// marshalHeader returns the metadata in front of a message that is written as it comes.
func marshalHeader(extra map[string]any) ([]byte, error) {
	if _, ok := extra[keyReserved]; ok {
		return nil, errReserved
	}
	x, err := mapToCBOR(extra)
	if err != nil {
		return nil, err
	}
	delete(x, keyVersion)
	m := map[string]any{keyBase: []any{}, keyVersion: WireVersion}
	if len(x) > 0 {
		m[keyExtra] = x
	}
	return modes.encode.Marshal(m)
}

// marshalPreceder returns the metadata in front of an object.
func marshalPreceder(base map[string]any) ([]byte, error) {
	entry, err := mapToCBOR(base)
	if err != nil {
		return nil, err
	}
	return modes.encode.Marshal(map[string]any{keyBase: []any{entry}, keyVersion: WireVersion})
}

// span is where a data frame lies in its message: offset of its header and length without padding.
type span struct{ offset, length int64 }

// parseIndex reads the content of an index frame.
func parseIndex(b []byte, at Location) ([]span, error) {
	m, _, err := decodeMap(modes.decode, b)
	if err != nil {
		return nil, metadataError("index_cbor_parse_failed", at, err, "index")
	}
	f := fields{m: m}
	offsets, lengths := f.uints("offsets"), f.uints("lengths")
	if f.err == nil && len(offsets) != len(lengths) {
		f.fail("%d offsets and %d lengths", len(offsets), len(lengths))
	}
	if f.err != nil {
		return nil, metadataError("index_cbor_parse_failed", at, f.err, "index")
	}
	spans := make([]span, len(offsets))
	for i := range spans {
		if offsets[i] > 1<<62 || lengths[i] > 1<<62 {
			return nil, metadataError("index_offset_mismatch", at, nil, "object %d is at %d with length %d", i, offsets[i], lengths[i])
		}
		spans[i] = span{int64(offsets[i]), int64(lengths[i])}
	}
	return spans, nil
}

// marshalIndex returns the content of an index frame; offsets in spans count from first.
func marshalIndex(spans []span, first int64) []byte {
	b := plaincbor.AppendHead(nil, cborMap, 2)
	b = plaincbor.AppendHead(appendCBORText(b, "lengths"), cborArray, uint64(len(spans)))
	for _, s := range spans {
		b = plaincbor.AppendHead(b, cborUint, uint64(s.length))
	}
	b = plaincbor.AppendHead(appendCBORText(b, "offsets"), cborArray, uint64(len(spans)))
	for _, s := range spans {
		b = plaincbor.AppendHead(b, cborUint, uint64(first+s.offset))
	}
	return b
}

// hashAlgorithm is the only algorithm of wire version 3.
const hashAlgorithm = "xxh3"

// hashList is the content of a hash frame.
type hashList struct {
	algorithm string
	digests   []string // 16 lower-case hexadecimal digits
}

func parseHashes(b []byte, at Location) (h hashList, err error) {
	m, _, err := decodeMap(modes.decode, b)
	if err != nil {
		return h, metadataError("hash_frame_cbor_parse_failed", at, err, "hash frame")
	}
	f := fields{m: m}
	if _, ok := m["algorithm"]; ok {
		h.algorithm = f.text("algorithm")
	}
	if v, ok := m["hashes"]; ok {
		list, isList := v.([]any)
		if !isList {
			f.fail("key hashes is %s, expected an array", cborKind(v))
		}
		for i, item := range list {
			s, isText := item.(string)
			if !isText {
				f.fail("key hashes: [%d]: found %s, expected text", i, cborKind(item))
			}
			h.digests = append(h.digests, s)
		}
	}
	if f.err != nil {
		return h, metadataError("hash_frame_cbor_parse_failed", at, f.err, "hash frame")
	}
	return h, nil
}

func marshalHashes(hashes []uint64) []byte {
	b := plaincbor.AppendHead(nil, cborMap, 2)
	b = plaincbor.AppendHead(appendCBORText(b, "hashes"), cborArray, uint64(len(hashes)))
	for _, h := range hashes {
		b = appendCBORText(b, hashText(h))
	}
	return appendCBORText(appendCBORText(b, "algorithm"), hashAlgorithm)
}

// hashText returns a hash as hash frames spell it.
func hashText(h uint64) string {
	b := [8]byte{byte(h >> 56), byte(h >> 48), byte(h >> 40), byte(h >> 32), byte(h >> 24), byte(h >> 16), byte(h >> 8), byte(h)}
	return hex.EncodeToString(b[:])
}
