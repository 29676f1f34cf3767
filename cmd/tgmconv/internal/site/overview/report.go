package overview

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/serve"
)

// ReportName is the name of the report below the root of a served dataset.
const ReportName = "@report.json"

// NewReport returns a handler that answers, as JSON, with the outcome of each object of a dataset,
// and with unreadable files. relative removes the parts of names in texts that only the server
// needs to know.
func NewReport(set *dataset.Dataset, bad []string, relative func(text string) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		if r.Method == http.MethodHead {
			return
		}
		_ = writeFates(w, r.Context(), set, bad, relative) // an error is one of the connection
	})
}

// renamed are the paths of arrays whose names cannot stand in a store, by the names of their groups
// and variables.
func renamed(set *dataset.Dataset) map[string]string {
	paths, others := serve.NewDatasetPaths(set), make(map[string]string)
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			name := strings.TrimPrefix(g.Name+"/"+v.Name, "/")
			if path := paths.Variable(g, v); path != name {
				others[name] = path
			}
		}
	}
	return others
}

// A reportLine is the outcome of an object in the report.
type reportLine struct {
	Object string `json:"object"`
	Array  string `json:"array,omitempty"`
	Chunk  *int   `json:"chunk,omitempty"` // in C order
	Why    string `json:"why,omitempty"`   // it is not shown
}

// reportBlock is the number of lines between two extensions of the deadline of a slow client.
const reportBlock = 1000

func writeFates(w http.ResponseWriter, ctx context.Context, set *dataset.Dataset, unreadable []string, relative func(string) string) error {
	report, others := set.Report, renamed(set)
	bad, err := json.Marshal(append([]string{}, unreadable...))
	if err != nil {
		return err
	}
	all := func(texts []string) []string {
		out := make([]string, 0, len(texts))
		for _, text := range texts {
			out = append(out, relative(text))
		}
		return out
	}
	split, err := json.Marshal(all(report.Splits()))
	if err != nil {
		return err
	}
	apart, err := json.Marshal(relative(report.Apart()))
	if err != nil {
		return err
	}
	notes, err := json.Marshal(all(report.Notes()))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	fmt.Fprintf(out, "{\"objects\":%d,\"hidden\":%d,\"split\":%s,\"apart\":%s,\"notes\":%s,\"bad\":%s,\"lines\":[",
		report.Len(), report.Duplicates(), split, apart, notes, bad)
	n := 0
	for line := range report.Lines() {
		if n%reportBlock == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(20 * time.Second)) // in tests there is none
		}
		l := reportLine{Object: relative(line.Where), Array: line.Path, Why: relative(line.Why)}
		if path, ok := others[line.Path]; ok {
			l.Array = path
		}
		if line.Path != "" {
			l.Chunk = &line.Chunk
		}
		text, err := json.Marshal(l)
		if err != nil {
			return err
		}
		if n++; n > 1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		out.Write(text)
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}
