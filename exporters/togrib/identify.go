package togrib

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/mapping"
)

// ecmfLocal is section 2 of ECMWF's local definition 1: class, type, stream and expver of MARS,
// which are set later.
var ecmfLocal = []byte{0, 0, 0, 17, 2, 0, 1, 0, 1, 0, 2, 4, 1, '0', '0', '0', '1'}

// identification makes sections 1 and 2.
func (b *builder) identification() error {
	t, ok := b.entry.ReferenceTime()
	if !ok {
		return &BuildError{mapping.KeyReferenceTime, errors.New("it is missing, and there are no date and time")}
	}
	id := grib.Identification{
		Centre: 255, SubCentre: int(b.integer(0, "subCentre")), TablesVersion: int(b.integer(0, "tablesVersion")),
		LocalTablesVersion: int(b.integer(0, "localTablesVersion")),
		Significance:       int(b.integer(1, "significanceOfReferenceTime")), Time: t,
		ProductionStatus: int(b.integer(0, "productionStatusOfProcessedData")), TypeOfData: int(b.integer(255, "typeOfProcessedData")),
	}
	var err error
	if b.draft.Identification, err = id.Section(); err != nil {
		return &BuildError{mapping.KeyReproduction, err}
	}
	centre := b.text("centre", "origin")
	if centre == "" && b.entry.MARS()["class"] != nil {
		centre = "ecmf"
	}
	if err := b.redraft([2]string{"centre", centre}, [2]string{"typeOfProcessedData", b.text("typeOfProcessedData")}); err != nil {
		return err
	}
	if mars := b.entry.MARS(); mars["class"] != nil && (centre == "ecmf" || centre == "98" || b.text("subCentre") == "98") {
		b.draft.Local = slices.Clone(ecmfLocal)
	}
	return b.redraft([2]string{"marsClass", b.text("class")}, [2]string{"marsType", b.text("type")}, [2]string{"marsStream", b.text("stream")},
		[2]string{"experimentVersionNumber", b.text("expver")})
}

// firstParameter sets the parameter of the field as far as that goes before its level is set.
func (b *builder) firstParameter() error {
	_ = b.parameter() // tried again when all is set
	return nil
}

// parameter sets the parameter of the field.
func (b *builder) parameter() error {
	id := b.text("paramId", "param")
	if number, table, ok := strings.Cut(b.text("param"), "."); ok && b.edition == 1 {
		return b.setAll([][2]string{{"table2Version", table}, {"indicatorOfParameter", number}})
	}
	if id != "" && b.holds("paramId", strings.TrimSuffix(id, ".128")) {
		return nil
	}
	if id != "" && id != "0" {
		if err := b.set("paramId", id); err == nil {
			return nil
		}
	}
	name, _ := b.entry.Own()
	if v := b.text("shortName"); v != "" {
		name = v
	}
	if name != "" && !strings.HasPrefix(name, "unknown") {
		if err := b.set("shortName", name); err != nil {
			return err
		}
		// Parameters share short names.
		if _, err := strconv.Atoi(strings.TrimSuffix(id, ".128")); err == nil && id != "0" && !b.holds("paramId", strings.TrimSuffix(id, ".128")) {
			return &BuildError{"paramId=" + id, fmt.Errorf("the other keys give the short name %s to another parameter", name)}
		}
		return nil
	}
	if id == "" {
		return &BuildError{mapping.KeyName, errors.New("neither param nor shortName names the parameter")}
	}
	return b.set("paramId", id)
}
