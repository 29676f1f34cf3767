package mapping_test

import (
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
)

func TestParsePartial(t *testing.T) {
	for text, want := range map[string]mapping.PartialClause{
		"":                     {},
		"sho":                  {Word: "sho"},
		"level=500,sho":        {Prefix: "level=500,", Word: "sho"},
		"shortName=":           {Prefix: "shortName=", Key: "shortName"},
		"shortName=2":          {Prefix: "shortName=", Word: "2", Key: "shortName"},
		"shortName!=2t/10":     {Prefix: "shortName!=2t/", Word: "10", Key: "shortName"},
		"step>=6,level<=50":    {Prefix: "step>=6,level<=", Word: "50", Key: "level"},
		"shortName=2t/10u/":    {Prefix: "shortName=2t/10u/", Key: "shortName"},
		"a=x,shortName=2t/b=c": {Prefix: "a=x,shortName=2t/", Word: "b=c", Key: "shortName"},
	} {
		got := mapping.ParsePartialClause(text)
		if got != want || got.Prefix+got.Word != text {
			t.Errorf("%q: found %+v, expected %+v", text, got, want)
		}
	}
}
