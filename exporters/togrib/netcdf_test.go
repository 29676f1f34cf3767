package togrib

import (
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

func TestParameterOf(t *testing.T) {
	height := func(v float64) look.Field {
		return look.Field{Label: mapping.Label{LevelType: "heightAboveGround", Level: mapping.Some(v)}}
	}
	for _, c := range []struct {
		name, standardName, longName, units string
		field                               look.Field
		want                                string
		scale, offset                       float64
		err                                 string
	}{
		{name: "ta", standardName: "air_temperature", units: "K", want: "t", scale: 1},
		{name: "t2m", standardName: "air_temperature", units: "K", want: "2t", scale: 1},
		{name: "tas", standardName: "air_temperature", units: "degC", field: height(2), want: "2t", scale: 1, offset: 273.15},
		{name: "uas", standardName: "eastward_wind", units: "m s-1", field: height(10), want: "10u", scale: 1},
		{name: "psl", standardName: "air_pressure_at_mean_sea_level", units: "hPa", want: "msl", scale: 100},
		{name: "clt", standardName: "cloud_area_fraction", units: "%", want: "tcc", scale: 0.01},
		{name: "hus", standardName: "specific_humidity ", units: "1", want: "q", scale: 1},
		{name: "msl", longName: "Mean sea level pressure", units: "Pa", want: "msl", scale: 1},
		{name: "msl", longName: "something else", units: "Pa", err: "no standard name"},
		{name: "x", standardName: "wind_chill", units: "K", err: `"wind_chill" is the standard name of no GRIB parameter`},
		{name: "ta", standardName: "air_temperature", units: "m", err: `units are "m", expected`},
		{name: "ta", standardName: "air_temperature", err: `units are "", expected`},
	} {
		f := c.field
		f.Name, f.LongName, f.Units, f.Attributes = c.name, c.longName, c.units, map[string]any{}
		if c.standardName != "" {
			f.Attributes["standard_name"] = c.standardName
		}
		p, err := NewSlicer().parameterOf(&f)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s %s: error %v, want %q", c.name, c.standardName, err, c.err)
			}
		case err != nil || p.ShortName != c.want || p.scale != c.scale || p.offset != c.offset:
			t.Errorf("%s %s: %+v, error %v, want %s × %v + %v", c.name, c.standardName, p, err, c.want, c.scale, c.offset)
		}
	}
}

// TestSettings: settings supply keys that a variable lacks, and errors name missing keys.
func TestSettings(t *testing.T) {
	valid := mapping.Some(time.Date(2026, 1, 2, 6, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		name                 string
		attributes           map[string]any
		units, set           string
		want, span, kind     string
		reference, parameter string // errors
	}{
		{name: "a sum without bounds", attributes: map[string]any{"GRIB_paramId": int64(228), "cell_methods": "time: sum"}, units: "m",
			want: "tp", reference: "set stepRange=FROM-TO"},
		{name: "with a range", attributes: map[string]any{"GRIB_paramId": int64(228), "cell_methods": "time: sum"}, units: "m", set: "stepRange=0-6",
			want: "tp", span: "0-6", kind: "accum"},
		{name: "of cfgrib", attributes: map[string]any{"GRIB_paramId": int64(228), "GRIB_stepType": "accum"}, units: "m", want: "tp", reference: "GRIB_stepType"},
		{name: "said by the settings alone", units: "kg m-2", set: "shortName=tp,stepType=accum,stepRange=0-360,stepUnits=m", want: "tp", span: "0-6", kind: "accum"},
		{name: "no range", units: "Pa", set: "paramId=151,stepType=avg,stepRange=6", want: "msl", reference: "expected FROM-TO"},
		{name: "nothing", units: "Pa", parameter: "set paramId or shortName"},
		{name: "an unknown name", units: "Pa", set: "shortName=nope", parameter: `shortName is "nope"`},
		{name: "a local one", units: "Pa", set: "shortName=mslet,centre=kwbc", want: "mslet"},
	} {
		var set []Setting
		for _, text := range strings.FieldsFunc(c.set, func(r rune) bool { return r == ',' }) {
			key, value, _ := strings.Cut(text, "=")
			set = append(set, Setting{Key: key, Value: value})
		}
		s := NewSlicer(set...)
		f := look.Field{Label: mapping.Label{Name: "x", Units: c.units, Valid: valid}, Attributes: c.attributes}
		p, err := s.parameterOf(&f)
		if c.parameter != "" {
			if err == nil || !strings.Contains(err.Error(), c.parameter) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.parameter)
			}
			continue
		}
		if err != nil || p.ShortName != c.want {
			t.Errorf("%s: %+v, error %v, want %s", c.name, p, err, c.want)
			continue
		}
		var l mapping.Labels
		repro := map[string]any{}
		err = s.labelTimes(&f, &l, repro)
		switch {
		case c.reference != "":
			if err == nil || !strings.Contains(err.Error(), c.reference) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.reference)
			}
		case err != nil || c.span != "" && (repro["stepRange"] != c.span || repro["stepType"] != c.kind || !l.ReferenceTime.Value.Equal(valid.Value.Add(-6*time.Hour))):
			t.Errorf("%s: %v, %v, error %v", c.name, l.Map(), repro, err)
		}
	}
}

func TestLabelTimes(t *testing.T) {
	at := func(hour int) mapping.Opt[time.Time] {
		return mapping.Some(time.Date(2026, 1, 2, hour, 0, 0, 0, time.UTC))
	}
	cell := func(from, to int) mapping.Opt[[2]time.Time] {
		return mapping.Some([2]time.Time{at(from).Value, at(to).Value})
	}
	for _, c := range []struct {
		name              string
		field             look.Field
		methods           string
		reference, step   any
		stepRange, method any
		err               string
	}{
		{name: "time alone", field: look.Field{Label: mapping.Label{Valid: at(6)}}, reference: "2026-01-02T06:00:00Z", step: int64(0)},
		{name: "a forecast", field: look.Field{Label: mapping.Label{Valid: at(6), Reference: at(0)}}, reference: "2026-01-02T00:00:00Z", step: int64(6)},
		{name: "a point", field: look.Field{Label: mapping.Label{Valid: at(6)}}, methods: "time: point area: mean", reference: "2026-01-02T06:00:00Z", step: int64(0)},
		{name: "a period", field: look.Field{Label: mapping.Label{Valid: at(6), Step: mapping.Some(90 * time.Minute)}}, reference: "2026-01-02T04:30:00Z", step: int64(90)},
		{name: "a sum", field: look.Field{Label: mapping.Label{Valid: at(6)}, Cell: cell(0, 6)}, methods: "time: sum", reference: "2026-01-02T00:00:00Z", stepRange: "0-6", method: "accum"},
		{name: "a mean of a forecast", field: look.Field{Label: mapping.Label{Valid: at(6), Reference: at(0)}, Cell: cell(3, 6)}, methods: "time: mean (interval: 1 hour)",
			reference: "2026-01-02T00:00:00Z", stepRange: "3-6", method: "avg"},
		{name: "a maximum of a period", field: look.Field{Label: mapping.Label{Valid: at(6), Reference: at(0)}, StepCell: mapping.Some([2]time.Duration{0, 6 * time.Hour})},
			methods: "step: maximum", reference: "2026-01-02T00:00:00Z", stepRange: "0-6", method: "max"},
		{name: "no bounds", field: look.Field{Label: mapping.Label{Valid: at(6)}}, methods: "time: mean", err: "the time has no bounds"},
		{name: "no code", field: look.Field{Label: mapping.Label{Valid: at(6)}, Cell: cell(0, 6)}, methods: "time: median", err: "no GRIB code"},
		{name: "no time", err: "no coordinate says when"},
	} {
		f := c.field
		f.Attributes = map[string]any{"cell_methods": c.methods}
		var l mapping.Labels
		repro := map[string]any{}
		err := NewSlicer().labelTimes(&f, &l, repro)
		got := l.Map()
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || got["reference_time"] != c.reference || got["step"] != c.step || repro["stepRange"] != c.stepRange || repro["stepType"] != c.method {
			t.Errorf("%s: %v %v, error %v", c.name, got, repro, err)
		}
	}
}
