package list

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

// ParseOrder reads keys to sort by, as grib_ls takes them: KEY[:s|:i|:d] [asc|desc], joined by
// commas. A blank text has none.
func ParseOrder(text string) ([]Order, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var orders []Order
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		if len(words) == 0 || len(words) > 2 {
			return nil, fmt.Errorf("%q: expected KEY[:s|:i|:d] [asc|desc], joined by commas", text)
		}
		o := Order{Key: fields.ParseKey(words[0])}
		if len(words) == 2 {
			switch strings.ToLower(words[1]) {
			case "asc":
			case "desc":
				o.Descending = true
			default:
				return nil, fmt.Errorf("%q: found %q, expected asc or desc", text, words[1])
			}
		}
		orders = append(orders, o)
	}
	return orders, nil
}

// ParsePlace reads a place, as grib_ls takes it: LAT,LON[,1|4[,MASK]], where 1 asks for the nearest
// point and 4 for the four around the place. The mask is only named: to open it is up to the caller.
func ParsePlace(text string) (*Place, error) {
	p, ok := parsePlace(text)
	if !ok {
		return nil, fmt.Errorf("%q: expected LAT,LON[,1|4[,MASK]] with a latitude from -90 to 90 and a longitude from -360 to 360", text)
	}
	return p, nil
}

func parsePlace(text string) (p *Place, ok bool) {
	parts := strings.SplitN(text, ",", 4)
	if len(parts) < 2 {
		return nil, false
	}
	p = &Place{Four: true}
	var latErr, lonErr error
	p.Latitude, latErr = strconv.ParseFloat(strings.TrimSpace(parts[0]), 64)
	p.Longitude, lonErr = strconv.ParseFloat(strings.TrimSpace(parts[1]), 64)
	if latErr != nil || lonErr != nil || !(math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 360) {
		return nil, false
	}
	if len(parts) > 2 {
		if parts[2] != "1" && parts[2] != "4" {
			return nil, false
		}
		p.Four = parts[2] == "4"
	}
	if len(parts) > 3 {
		p.MaskName = parts[3]
		return p, p.MaskName != ""
	}
	return p, true
}

// numberFormat is a C conversion of one floating-point number.
var numberFormat = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^%([-+ 0]*)([0-9]{0,3})(\.[0-9]{1,2})?([eEfFgG])$`)
})

// ParseFormat returns the format of package fmt that equals a C format of one floating-point number: six
// digits where none are asked for.
func ParseFormat(format string) (string, error) {
	parts := numberFormat().FindStringSubmatch(format)
	if parts == nil {
		return "", fmt.Errorf("%q: expected one of %%e, %%f and %%g, with flags, width and precision", format)
	}
	if parts[3] == "" {
		parts[3] = ".6"
	}
	return "%" + parts[1] + parts[2] + parts[3] + parts[4], nil
}

// HeadsSuffice reports whether the keys of the options are known to be in the heads of messages. It
// does not look at Select. See [fields.Scanner].Heads.
func (o *Options) HeadsSuffice() bool {
	return o.Near == nil && !o.Indexed && len(o.Set) == 0 && len(o.Order) == 0 &&
		(o.Namespace == "" || fields.NamespaceInHead(o.Namespace)) &&
		fields.HeadSuffices(o.Keys...) && fields.HeadSuffices(o.Also...)
}
