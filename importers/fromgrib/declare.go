package fromgrib

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/internal/option"
)

// Declare adds the settings of GRIB sources, whose help begins with a prefix.
func (o *Options) Declare(s *option.Set, prefix string) {
	var groupBy string
	var without bool
	s.Bool("split", &o.Split, prefix+"one message for each field")
	s.Text("group-by", &groupBy, prefix+"one message for each combination of these keys, such as date,time,step")
	s.Bool("all-keys", &o.AllKeys, prefix+"add ecCodes' namespaces ls, geography, time, vertical, parameter and statistics")
	s.Bool("no-sections", &without, prefix+"leave out the sections with which to-grib writes the same message again")
	s.Bool("keep-data", &o.KeepData, prefix+"keep bitmap and data sections too, for packings that to-grib cannot write with the same bytes (complex, JPEG 2000, PNG, second order, spectral)")
	s.Check(func() error {
		switch o.Sections = !without; {
		case without && o.KeepData:
			return errors.New("--no-sections and --keep-data exclude each other")
		case o.Split && groupBy != "":
			return errors.New("--split and --group-by exclude each other")
		case groupBy == "":
			return nil
		}
		o.GroupBy = nil
		for key := range strings.SplitSeq(groupBy, ",") {
			if key = strings.TrimSpace(key); key == "" {
				return fmt.Errorf("--group-by is %q, expected keys with commas between them", groupBy)
			}
			o.GroupBy = append(o.GroupBy, key)
		}
		return nil
	})
}
