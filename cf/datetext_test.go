package cf_test

import (
	"testing"

	"github.com/tgmconv/tgmconv/cf"
)

func TestParseDate(t *testing.T) {
	for text, want := range map[string]string{
		"2005-08-28_12:30:05": "2005-08-28T12:30:05Z", "2005-08-28T12:30Z": "2005-08-28T12:30:00Z", "2005-08-28": "2005-08-28T00:00:00Z",
		"2005-08-28 06:00:00.000000000": "2005-08-28T06:00:00Z", "20050828123005": "2005-08-28T12:30:05Z", " 2005-08-28 06 UTC": "2005-08-28T06:00:00Z",
		"2005-02-30": "", "2005-13-01": "", "2005-08-28_25:00:00": "", "D": "", "": "", "12-08-28": "", "200508281230": "",
	} {
		d, ok := cf.ParseDate(text)
		if ok != (want != "") || ok && d.String() != want {
			t.Errorf("%q is %v, %v, expected %q", text, d, ok, want)
		}
	}
}

func FuzzParseDate(f *testing.F) {
	f.Add("2005-08-28_12:30:05")
	f.Add("20050828123005")
	f.Fuzz(func(t *testing.T, text string) {
		if d, ok := cf.ParseDate(text); ok {
			if again, ok := cf.ParseDate(d.String()); !ok || again.String() != d.String() {
				t.Errorf("%q is %v, and that %v", text, d, again)
			}
		}
	})
}
