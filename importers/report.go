package importers

import (
	"fmt"
	"time"
)

// keptWarnings is how many warnings and how many skipped parts a report lists; all are counted.
const keptWarnings = 1000

// A Warning is something the user should know that did not stop the conversion.
type Warning struct {
	Where string
	Text  string
}

func (w Warning) String() string {
	if w.Where == "" {
		return w.Text
	}
	return w.Where + ": " + w.Text
}

// Report counts the fields, bytes and warnings of a conversion.
type Report struct {
	Fields      int   // converted
	Coordinates int   // coordinate objects written
	Messages    int   // written
	BytesIn     int64 // of the parts that had something to convert
	BytesOut    int64
	Elapsed     time.Duration
	// Exact counts the fields stored without the encoding of the options, which would have changed values. It
	// counts by reason: "coordinates", "integers" and others.
	Exact map[string]int
	// Warnings counts all warnings, WarningList holds the first thousand. A skipped part is not
	// among them.
	Warnings    int
	WarningList []Warning
	// Skipped counts the parts that could not be converted, SkippedList holds the first thousand.
	Skipped     int
	SkippedList []*BadInput

	begun int // messages
}

// noFields is [ErrNoFields] with the first warning, which often says why there are none.
func (r *Report) noFields() error {
	if len(r.WarningList) == 0 {
		return ErrNoFields
	}
	return fmt.Errorf("%w: %s", ErrNoFields, r.WarningList[0])
}

// Add adds the counts of another conversion, which may be nil.
func (r *Report) Add(other *Report) {
	if other == nil {
		return
	}
	r.Fields += other.Fields
	r.Coordinates += other.Coordinates
	r.Messages += other.Messages
	r.BytesIn += other.BytesIn
	r.BytesOut += other.BytesOut
	r.Elapsed += other.Elapsed
	for reason, n := range other.Exact {
		r.keep(reason, n)
	}
	r.Warnings += other.Warnings
	r.WarningList = append(r.WarningList, other.WarningList[:min(len(other.WarningList), keptWarnings-min(keptWarnings, len(r.WarningList)))]...)
	r.Skipped += other.Skipped
	r.SkippedList = append(r.SkippedList, other.SkippedList[:min(len(other.SkippedList), keptWarnings-min(keptWarnings, len(r.SkippedList)))]...)
}

// keep counts n fields that were stored without the encoding.
func (r *Report) keep(reason string, n int) {
	if reason == "" {
		return
	}
	if r.Exact == nil {
		r.Exact = make(map[string]int)
	}
	r.Exact[reason] += n
}

func (r *Report) warn(w Warning) {
	r.Warnings++
	if len(r.WarningList) < keptWarnings {
		r.WarningList = append(r.WarningList, w)
	}
}

func (r *Report) skip(b *BadInput) {
	r.Skipped++
	if len(r.SkippedList) < keptWarnings {
		r.SkippedList = append(r.SkippedList, b)
	}
}
