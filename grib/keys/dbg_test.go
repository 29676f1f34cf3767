package keys_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/grib/keys"
)

func TestDbg(t *testing.T) {
	p := strings.Split(os.Getenv("KEYS_DBG"), "#")
	if len(p) != 2 {
		t.Skip()
	}
	b, _ := os.ReadFile(p[0])
	n, _ := strconv.Atoi(p[1])
	f, _ := os.Open(os.Getenv("KEYS_ORACLE"))
	eachLine(f, func(l oracleLine) error {
		if l.Index == n {
			msg := b[l.Offset : l.Offset+int64(l.Size)]
			h, err := keys.New(msg, source(msg))
			fmt.Println(err)
			fmt.Println(h.Err())
			for _, k := range strings.Split(os.Getenv("KEYS_KEYS"), ",") {
				v, err := h.Get(k)
				fmt.Println(k, v, err)
			}
		}
		return nil
	})
}
