package tonetcdf

import (
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"t": "t", "2t": "t2m", "2d": "d2m", "10u": "u10", "100v": "v100", "2t_accum": "t2m_accum", "2sh": "sh2",
		"sigma_0.995": "sigma_0_995", "10": "v10", "_x": "v_x", "": "v", "a-b": "a_b", "regular_ll_0p25": "regular_ll_0p25",
	} {
		if got := cf.VariableName(name); got != want {
			t.Errorf("%q is %q, expected %q", name, got, want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ units, name, wantUnits, wantName string }{
		{"K", "air_temperature", "K", "air_temperature"},
		{"(0 - 1)", "land_binary_mask", "1", "land_binary_mask"},
		{"%", "air_temperature", "%", ""},
		{"J m**-2", "surface_net_downward_shortwave_flux", "J m**-2", "integral_wrt_time_of_surface_net_downward_shortwave_flux"},
		{"W m**-2", "surface_net_downward_shortwave_flux", "W m**-2", "surface_net_downward_shortwave_flux"},
		{"J m**-2", "surface_upward_latent_heat_flux", "J m**-2", ""},
		{"gpm", "geopotential_height", "m", "geopotential_height"},
		{"(Code table 4.201)", "", "1", ""},
		{"Bites per day per person", "x", "1", ""},
		{"s**-1", "atmosphere_relative_vorticity", "s**-1", "atmosphere_upward_relative_vorticity"},
	} {
		v := &cfVariable{attrs: []dataset.Attribute{{Key: "units", Value: c.units}, {Key: "standard_name", Value: c.name}}}
		v.fixUnits()
		if v.attr("units") != c.wantUnits || v.attr("standard_name") != c.wantName {
			t.Errorf("%s %s become %s %s, expected %s %s", c.units, c.name, v.attr("units"), v.attr("standard_name"), c.wantUnits, c.wantName)
		}
		if kept := v.attr("GRIB_units"); (kept == c.units) != (c.units != c.wantUnits) {
			t.Errorf("%s: GRIB_units %q", c.units, kept)
		}
	}
}

func TestLattice(t *testing.T) {
	field := func(reference float64, exponent, bits int) packedField { return packedField{reference, exponent, bits} }
	for _, c := range []struct {
		what   string
		fields []packedField
		span   uint64
		scale  float64
		offset float64
	}{
		{"one field", []packedField{field(220.5, -4, 8)}, 255, 1. / 16, 220.5},
		{"steps of two sizes", []packedField{field(0, -1, 4), field(8, 1, 4)}, 76, 0.5, 0},
		{"references between steps", []packedField{field(1, 0, 2), field(1.25, 0, 2)}, 13, 0.25, 1},
		{"a constant", []packedField{field(3.5, 0, 0)}, 0, 1, 3.5},
	} {
		l := lattice{fields: c.fields, exponent: 1 << 30}
		for _, f := range c.fields {
			if f.bits > 0 {
				l.exponent = min(l.exponent, f.exponent)
			}
		}
		if l.exponent == 1<<30 {
			l.exponent = 1<<31 - 1
		}
		span := l.span()
		p := l.packing(span, maxShort)
		if span != c.span || p.scale != c.scale || p.offset != c.offset {
			t.Errorf("%s: span %d, packing %+v, expected %d, %v, %v", c.what, span, *p, c.span, c.scale, c.offset)
		}
	}
	far := lattice{fields: []packedField{field(1e-30, -80, 16), field(1e10, 10, 16)}, exponent: -80}
	if span := far.span(); span <= maxInt {
		t.Errorf("fields without a common step: span %d", span)
	}
}

func TestHoles(t *testing.T) {
	mask := &tgm.Mask{N: 6, Bits: []byte{0b10110000}}
	h := &holes{values: []byte{1, 2}, runs: []int64{1, 1, 2, 0}}
	out := make([]byte, 6)
	if err := h.put(out, mask, 1); err != nil || !slices.Equal(out, []byte{2, 0, 1, 1, 0, 0}) {
		t.Errorf("%v, %v", out, err)
	}
	if err := (&holes{values: []byte{1}, runs: []int64{1, 0}}).put(out, mask, 1); err == nil {
		t.Error("more missing points than runs say")
	}
	for _, bad := range []map[string]any{
		{"values": []byte{1}, "runs": []any{int64(1), int64(1)}}, {"values": []byte{1}, "runs": []any{int64(-1), int64(0)}},
		{"values": []byte{1}, "runs": []any{"x"}},
	} {
		if _, err := newHoles(bad, 1); err == nil {
			t.Errorf("no error for %v", bad)
		}
	}
}

func TestConvert(t *testing.T) {
	c := converter{class: netcdf.Short, size: 2, fill: []byte{0, 0x80}, packing: &packing{scale: 0.5, offset: 10}}
	a := tgm.ArrayOf([]float64{10, 11, -1000})
	if data, err := c.convert(&a); err != nil || !slices.Equal(data, []byte{0, 0, 2, 0, 0x1c, 0xf8}) {
		t.Errorf("% x, %v", data, err)
	}
	a = tgm.ArrayOf([]float64{1e9})
	if _, err := c.convert(&a); err == nil {
		t.Error("a value that the type does not have")
	}
	a = tgm.ArrayOf([]uint32{1})
	if _, err := c.convert(&a); err == nil {
		t.Error("integers of another size")
	}
}
