package togrib

import (
	"errors"
	"slices"
	"strconv"

	"github.com/tgmconv/tgmconv/mapping"
)

// section1 is section 1 of edition 1 with only the values that most fields have.
func section1() []byte {
	b := make([]byte, 28)
	b[2] = byte(len(b))
	b[3], b[6], b[17], b[24] = 128, 255, 1, 21 // table 128, no predefined grid, hours, the 21st century
	return b
}

// withLocal1 adds ECMWF's local definition 1 to a section 1: class, type, stream and expver of
// MARS, which are set later.
func withLocal1(section []byte) []byte {
	b := append(append([]byte(nil), section...), make([]byte, 12)...)
	b = append(b, 1, 1, 2, 4, 1, '0', '0', '0', '1', 0, 0, 0)
	b[2] = byte(len(b))
	return b
}

// editionOf returns the edition that a message is built in.
func (b *builder) editionOf(asked int) int {
	if asked != 0 {
		return asked
	}
	if n, ok := mapping.Int(b.entry.Geometry()["edition"]); ok && n == 1 {
		return 1
	}
	if b.integer(2, "edition") == 1 {
		return 1
	}
	return 2
}

// build1 sets the keys of a message of edition 1.
func (b *builder) build1() error {
	if err := b.gridSection(); err != nil {
		return err
	}
	t, ok := b.entry.ReferenceTime()
	if !ok {
		return &BuildError{mapping.KeyReferenceTime, errors.New("it is missing, and there are no date and time")}
	}
	centre := b.text("centre", "origin")
	local := b.entry.MARS()["class"] != nil && (centre == "" || centre == "ecmf" || centre == "98" || b.text("subCentre") == "98")
	if centre == "" {
		centre = "ecmf"
	}
	b.draft.Product = section1()
	if err := b.open(); err != nil {
		return err
	}
	if err := b.setAll([][2]string{{"subCentre", b.text("subCentre")}, {"centre", centre}}); err != nil {
		return err
	}
	if local {
		b.draft.Product = withLocal1(b.message[8 : 8+28])
		if err := b.open(); err != nil {
			return err
		}
	}
	list := [][2]string{
		{"dataDate", t.Format("20060102")}, {"dataTime", t.Format("1504")}, {"generatingProcessIdentifier", b.text("generatingProcessIdentifier")},
	}
	if local {
		list = append(list, [][2]string{{"class", b.text("class")}, {"type", b.text("type")}, {"stream", b.text("stream")},
			{"expver", b.text("expver")}}...)
		if n, ok := b.entry.Member(); ok {
			list = append(list, [2]string{"number", strconv.FormatInt(n, 10)})
		}
	}
	if err := b.setAll(list); err != nil {
		return err
	}
	return b.finish1()
}

// open makes the message of the draft.
func (b *builder) open() error {
	h, err := b.draft.Header()
	if err == nil {
		b.message, err = h.Message()
	}
	return err
}

// setAll sets keys that have a value and do not hold it yet.
func (b *builder) setAll(list [][2]string) error {
	for _, kv := range list {
		if kv[1] == "" || b.holds(kv[0], kv[1]) {
			continue
		}
		if err := b.set(kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

// finish1 sets the parameter, time and level of the field.
func (b *builder) finish1() error {
	if err := b.firstParameter(); err != nil {
		return err
	}
	for _, key := range productKeys1 {
		value := b.text(key)
		if value == "" || !b.fromProduct(key) || b.holds(key, value) {
			continue
		}
		if err := b.set(key, value); err != nil {
			return err
		}
	}
	if err := errors.Join(b.levels1(), b.parameter()); err != nil {
		return err
	}
	if b.fromProduct("P1") || b.fromProduct("P2") {
		return nil // the steps are coded
	}
	return b.times()
}

// productKeys1 are the keys of section 1 that importers/fromgrib keeps in base[i].product.
var productKeys1 = []string{
	"indicatorOfUnitOfTimeRange", "timeRangeIndicator", "P1", "P2", "numberIncludedInAverage", "numberMissingFromAveragesOrAccumulations", "gridDefinition",
}

func (b *builder) fromProduct(key string) bool {
	_, ok := b.entry.Product()[key]
	return ok
}

// levels1 sets the level.
func (b *builder) levels1() error {
	_, l := b.entry.Own()
	kind := b.levelType(l)
	if l.Top.Known && l.Bottom.Known && l.Top.Value != l.Bottom.Value && !slices.Contains([]string{"surface", "meanSea"}, kind) {
		return b.setAll([][2]string{{"typeOfLevel", kind}, {"topLevel", text(l.Top.Value)}, {"bottomLevel", text(l.Bottom.Value)}})
	}
	return b.setAll([][2]string{{"typeOfLevel", kind}, {"level", b.labelText(l.Level, "level")}})
}
