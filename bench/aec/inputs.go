package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/codec/aec"
)

// input is one stream's samples and parameters.
type input struct {
	name   string
	params aec.Params
	raw    []byte
}

// gribInputs are the CCSDS-packed fields of the sample files, decoded to the samples that were
// coded.
func gribInputs(root string) ([]input, error) {
	var all []input
	for _, name := range []string{"2t.grib2", "q_150.grib2", "lsm.grib2"} {
		file, err := os.ReadFile(filepath.Join(root, "fixtures/grib", name))
		if err != nil {
			return nil, err
		}
		in, err := ccsdsField(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		in.name = name
		all = append(all, in)
	}
	return all, nil
}

// ccsdsField decodes the data of the first field of a GRIB 2 file that has data template 5.42.
func ccsdsField(file []byte) (input, error) {
	var in input
	samples := 0
	for rest := file[16:]; len(rest) > 5; {
		length := int(binary.BigEndian.Uint32(rest))
		if length < 5 || length > len(rest) {
			return in, fmt.Errorf("section of %d bytes in %d", length, len(rest))
		}
		section := rest[:length]
		rest = rest[length:]
		switch section[4] {
		case 5:
			if length < 25 || binary.BigEndian.Uint16(section[9:]) != 42 {
				return in, fmt.Errorf("not data template 5.42")
			}
			samples = int(binary.BigEndian.Uint32(section[5:]))
			in.params = aec.Params{
				BitsPerSample: int(section[19]),
				Flags:         aec.Flags(section[21]),
				BlockSize:     int(section[22]),
				RSI:           int(binary.BigEndian.Uint16(section[23:])),
			}
		case 7:
			in.raw = make([]byte, samples*in.params.SampleBytes())
			return in, aec.Decode(in.raw, section[5:], in.params)
		}
	}
	return in, fmt.Errorf("no section 7")
}

// syntheticInputs are smooth fields with noise, packed to the widths of simple_packing, with
// Tensogram's parameters and with GRIB's, and the ends of what the coder meets: noise, steps and
// zeros.
func syntheticInputs() []input {
	const n = 1 << 20
	field := func(bits int, noise float64) func(i int) uint32 {
		rng := uint64(42)
		top := float64(uint64(1)<<bits - 1)
		return func(i int) uint32 {
			rng += 0x9e3779b97f4a7c15
			z := (rng ^ rng>>30) * 0xbf58476d1ce4e5b9
			z = (z ^ z>>27) * 0x94d049bb133111eb
			u := float64((z^z>>31)>>11)/(1<<53)*2 - 1
			v := 0.5 + 0.45*math.Sin(float64(i/1024)*2*math.Pi*4/1024)*math.Cos(float64(i%1024)*2*math.Pi*4/1024)
			return uint32(top * math.Min(1, math.Max(0, v+noise*u)))
		}
	}
	szip := func(bits int) aec.Params {
		return aec.Params{BitsPerSample: bits, BlockSize: 16, RSI: 128, Flags: aec.Preprocess | aec.MSB | aec.ThreeByte}
	}
	grib := func(bits int) aec.Params {
		return aec.Params{BitsPerSample: bits, BlockSize: 32, RSI: 128, Flags: aec.Preprocess | aec.MSB | aec.ThreeByte}
	}
	steps := func(i int) uint32 { return uint32(i / 3000 * 977 % 4096) }
	return []input{
		pack("field 16 bit szip", szip(16), n, field(16, 0.0017)),
		pack("field 24 bit szip", szip(24), n, field(24, 0.0017)),
		pack("field 32 bit szip", szip(32), n, field(32, 0.0017)),
		pack("field 8 bit szip", szip(8), n, field(8, 0.0017)),
		pack("field 12 bit grib", grib(12), n, field(12, 0.0017)),
		pack("field 16 bit grib", grib(16), n, field(16, 0.0017)),
		pack("smooth 16 bit grib", grib(16), n, field(16, 0)),
		pack("noise 16 bit grib", grib(16), n, field(16, 1)),
		pack("steps 16 bit grib", grib(16), n, steps),
	}
}

func pack(name string, p aec.Params, n int, sample func(i int) uint32) input {
	size := p.SampleBytes()
	raw := make([]byte, n*size)
	var word [4]byte
	for i := range n {
		binary.BigEndian.PutUint32(word[:], sample(i))
		copy(raw[i*size:], word[4-size:])
	}
	return input{name, p, raw}
}
