package cli

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestTookMoreThan(t *testing.T) {
	if took := new(spending).tookMoreThan(1, math.MaxInt64); !strings.HasSuffix(took, " s of processor time") {
		t.Errorf("a nanosecond: %q", took)
	}
	if took := new(spending).tookMoreThan(time.Hour, 1<<20); took != "1 MB of memory" {
		t.Errorf("a megabyte: %q", took)
	}
	if took := new(spending).tookMoreThan(time.Hour, math.MaxInt64); took != "" {
		t.Errorf("an hour, and all memory: %q", took)
	}
}
