package togrib

import (
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/internal/option"
)

// Declare adds the settings of how messages are written.
func (o *Options) Declare(s *option.Set) {
	var settings []string
	packing := Packings()[0]
	s.Word("packing", &packing, Packings(), strings.Join(Packings(), ", ")+"; source is the packing of the sections, if it can be written")
	s.Int("bits", &o.Bits, 0, 32, "bits per value, 1 to 32, of values that are packed again; 0 means as many as the source has, or 16")
	s.List("set", &settings, "keys to change, as grib_set does: KEY=VALUE, joined by commas")
	s.Int("edition", &o.Edition, 1, 2, "GRIB edition of messages that are built from keys, 1 or 2; 0 means the edition of the keys, or 2")
	s.Check(func() (err error) {
		o.Packing = Packing(packing)
		if packing == Packings()[0] {
			o.Packing = PackSource
		}
		if o.Set, err = keys.ParseSettings(settings); err != nil {
			err = fmt.Errorf("--set is %w", err)
		}
		return err
	})
}
