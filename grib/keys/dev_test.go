package keys_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/grib/keys"
)

func TestDev(t *testing.T) {
	path := os.Getenv("KEYS_ORACLE")
	if path == "" {
		t.Skip("KEYS_ORACLE")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r := newReport()
	cache := map[string][]byte{}
	err = eachLine(f, func(l oracleLine) error {
		if l.Error != "" {
			return nil
		}
		msg, err := readMessage(cache, l, "../..")
		if err != nil {
			return err
		}
		h, err := keys.New(msg, source(msg))
		where := fmt.Sprintf("%s#%d", l.File, l.Index)
		if err != nil {
			r.diff("open", where+": "+err.Error())
			return nil
		}
		r.compare(h, l, where)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r)
}
