package process

import (
	"runtime"
	"testing"
	"time"
)

func TestTimeGrows(t *testing.T) {
	before := Time()
	for deadline := time.Now().Add(200 * time.Millisecond); time.Now().Before(deadline); {
	}
	if took := Time() - before; took < 20*time.Millisecond {
		t.Errorf("a loop of 200ms took %v", took)
	}
}

func TestMemoryGrows(t *testing.T) {
	before := Memory()
	p := make([]byte, 64<<20)
	if took := Memory() - before; took < 60<<20 {
		t.Errorf("64 MiB took %d bytes", took)
	}
	runtime.KeepAlive(p)
}
