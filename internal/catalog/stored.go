package catalog

import (
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/tgm"
)

// StoredAs says how an object is stored: "16 bit + szip", "shuffle + zstd", "none"; masks are named
// too.
func StoredAs(d *tgm.Descriptor) string {
	var stages []string
	switch d.Encoding {
	case "none":
	case "simple_packing":
		stages = append(stages, packingText(d))
	default:
		stages = append(stages, d.Encoding)
	}
	for _, stage := range []string{d.Filter, d.Compression} {
		if stage != "none" {
			stages = append(stages, stage)
		}
	}
	if len(stages) == 0 {
		stages = append(stages, "none")
	}
	if d.Masks.Any() {
		stages = append(stages, "mask")
	}
	return strings.Join(stages, " + ")
}

func packingText(d *tgm.Descriptor) string {
	for _, key := range []string{"sp_bits_per_value", "bits_per_value"} {
		if bits, ok := d.Params[key]; ok {
			return fmt.Sprint(bits, " bit")
		}
	}
	return d.Encoding
}
