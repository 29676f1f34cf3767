package mapping

import (
	"errors"
	"strings"
	"testing"
)

// values has keys as the metadata of a message have them.
var values = LookupFunc(func(key string) (any, bool) {
	v, ok := map[string]any{
		"name": "2t", "level": int64(850), "top": 0.4, "date": int64(20170322), "time": int64(600), "day": "20170322",
		"valid_time": "2017-03-22T06:00:00Z", "expver": "0001", "shape": []uint64{73, 144}, "big": uint64(1 << 63),
		"path": "a/b", "whole": 850.0, "list": []any{int64(1)}, "flag": true, "text": "a,b", "digits": "06",
	}[key]
	return v, ok
})

// coded is a key as ecCodes has it: an integer with an abbreviation.
type coded struct{}

func (coded) Text(key string) (string, bool)  { return "ecmf", key == "centre" }
func (coded) Int(key string) (int64, bool)    { return 98, key == "centre" }
func (coded) Real(key string) (float64, bool) { return 98.5, key == "centre" }

func TestMatch(t *testing.T) {
	for clause, want := range map[string]bool{
		"name=2t": true, "name=t": false, "name=t/2t": true, "name!=t": true, "name!=t/2t": false,
		"name=2*": true, "name=?t": true, "name=?": false, "name!=*": false, "name=*t*": true, "name=x*": false,
		"level=850": true, "level=850.0": true, "level=0850": true, "level=85": false, "level!=850": false,
		"level=500/to/850": true, "level=850/to/500": true, "level=500/to/800": false, "level=500/to/850/by/50": true,
		"level=500/to/850/by/100": false, "level=1/500/to/900/2": true, "level=850/to": true,
		"level>500": true, "level>850": false, "level>=850": true, "level<1000": true, "level<=849.5": false, "level<850": false,
		"top=0.4": true, "top=0.40": true, "top=0": false, "top<1": true, "top=0/to/1/by/0.2": true, "top=0/to/1/by/0.3": false,
		"date=2017-03-22": true, "date=20170322": true, "date>2017-03-21": true, "date<2017-03-22": false, "day=2017-03-22": true,
		"date=2017-02-20/to/2017-04-01/by/10": true, "date=2017-03-01/to/2017-04-01/by/2": false, "date=2017-03-01/to/2017-04-01": true,
		"time=06:00": true, "time>05:59": true, "time=0600": true, "time=6": false,
		"valid_time>2017-03-22": true, "valid_time>2017-03-22T06": false, "valid_time>=2017-03-22": true, "valid_time=2017-03-22*": true, "valid_time<2017-03-22T07": true,
		"valid_time=2017-03-22": true, "valid_time=2017-03": true, "valid_time=2017-03-22T06": true, "valid_time=2017-03-22T06:00": true,
		"valid_time=2017-03-22T07": false, "valid_time<2017-03-22": false, "valid_time<=2017-03-22": true, "valid_time!=2017-03-22": false,
		"valid_time>2017-03-21": true, "valid_time>2017-02": true, "valid_time<2017-04": true, "valid_time=2017-03-21/2017-03-22": true,
		"valid_time=2017-03-01/to/2017-03-22": true, "valid_time=2017-03-01/to/2017-03-21": false,
		"valid_time=2017-03-20/to/2017-03-30/by/2": true, "valid_time=2017-03-21/to/2017-03-30/by/2": false, "name=2017-03": false,
		"expver=0001": true, "expver=1": true, "expver:s=1": false, "expver:s=0001": true,
		"shape=[73,144]": true, "list=[1]": true, "flag=true": true, "big=9223372036854775808": true, "path=a/b": true, "path=b": false,
		"whole=850": true, "whole:i=850": true, "whole:d=850": true, "text=a,b": true, "digits=6": true,
		"none=1": false, "none!=1": true, "none>1": false, "none<1": false, "none=*": false, "name>1": false, "name=": false,
		"level:s=850": true, "level:s=850.0": false, "level:i=850.0": true, "level:l=850": true, "level:s>9": false,
		"level=*50": true, " level =850": true,
	} {
		c, err := ParseClause(clause)
		if err != nil {
			t.Errorf("%s: %v", clause, err)
			continue
		}
		ok, found := c.Match(values)
		if ok != want {
			t.Errorf("%s: %v, want %v", clause, ok, want)
		}
		if found == strings.HasPrefix(clause, "none") {
			t.Errorf("%s: found %v", clause, found)
		}
	}
	for clause, want := range map[string]bool{
		"centre=98": true, "centre=ecmf": true, "centre!=98": false, "centre!=7": true, "centre=98.5": true, "centre=98.0": false,
		"centre:s=98": false, "centre:d=98.5": true, "centre:i=98": true, "other!=98": true, "other=98": false, "centre>98": true,
	} {
		c, err := ParseClause(clause)
		if err != nil {
			t.Fatal(err)
		}
		if ok, _ := c.Match(coded{}); ok != want {
			t.Errorf("%s of a coded key: %v, want %v", clause, ok, want)
		}
	}
}

func TestParseAll(t *testing.T) {
	for _, test := range []struct {
		texts []string
		want  string
	}{
		{nil, ""},
		{[]string{"a=1"}, "a=1"},
		{[]string{"a=1,b!=x", "c="}, "a=1 b!=x c="},
		{[]string{"a=1,2,b=3,4"}, "a=1,2 b=3,4"},
		{[]string{"a=b=c"}, "a=b=c"},
		{[]string{"a>1,b<=2,c>=3,d<4"}, "a>1 b<=2 c>=3 d<4"},
		{[]string{"a:l=1/2"}, "a:i=1/2"},
	} {
		all, err := ParseClauses(test.texts)
		var got []string
		for _, c := range all {
			got = append(got, c.String())
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%q: %q, %v, want %q", test.texts, got, err, test.want)
		}
	}
	for _, bad := range []string{"", "a", "=1", "!=1", ",a=1", "a:x=1", ">=", "a>1/2", "a<1/to/2", "a=1/to/x", "a=x/to/2",
		"a=1/to/2/by/0", "a=1/to/2/by/x", "a=1/to/2017-03-22", "a=06:00/to/07:00/by/1"} {
		_, err := ParseClauses([]string{bad})
		var parse *ClauseError
		if !errors.As(err, &parse) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAsked(t *testing.T) {
	clauses, err := ParseClauses([]string{"name=2t,levle=3,nmae=1"})
	if err != nil {
		t.Fatal(err)
	}
	var asked Asked
	if clauses.Match(&asked, values) {
		t.Error("clauses hold")
	}
	if got := asked.Unknown(); len(got) != 1 || got[0] != "levle" {
		t.Errorf("unknown keys %q", got) // the last was not asked for
	}
	if !asked.None() {
		t.Error("something matches the clauses")
	}
	if !clauses[:1].Match(&asked, values) || asked.None() {
		t.Error("nothing matches the clause")
	}
}

// TestGlobIsNotSlow has a pattern that would keep a matcher busy forever if it tried all ways.
func TestGlobIsNotSlow(t *testing.T) {
	if glob(strings.Repeat("*a", 50)+"b", strings.Repeat("a", 5000)) {
		t.Error("it matches")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a=1", "a!=1/2", "a:i>=0.5", "a=1/to/5/by/2", "a=2017-03-22/to/2018-01-01", "a=*x?", "a=06:00", "a=,b<1", "a=0/to/1/by/1e-300"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseClause(s)
		if err != nil {
			return
		}
		c.Match(values)
		for _, key := range []string{"level", "top", "date", "name", "shape"} {
			c.Key = key
			c.Match(values)
			c.Match(coded{})
		}
		again, err := ParseClause(c.String())
		if err != nil || again.String() != c.String() || len(again.Values) != len(c.Values) {
			t.Errorf("%q is read again as %q: %v", c.String(), again.String(), err)
		}
	})
}
