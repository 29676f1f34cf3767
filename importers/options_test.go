package importers_test

import (
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/importers"
)

// TestReproducible: the identifiers equal earlier releases'.
func TestReproducible(t *testing.T) {
	var o importers.Options
	at := time.Unix(86400, 0)
	o.Reproducible(at)
	if !o.Provenance.Time.Equal(at) || o.Provenance.Time.Location() != time.UTC {
		t.Errorf("found the time %v, expected %v in UTC", o.Provenance.Time, at)
	}
	if got := o.MessageUUID(0); got != "30e49b5e-9e2f-5910-9b9d-dc28516465f7" || got == o.MessageUUID(1) {
		t.Errorf("found the UUID %s", got)
	}
}
