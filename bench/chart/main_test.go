package main

import (
	"bytes"
	"os"
	"testing"
)

// TestChart holds that the chart in the README has the figures of bench/README.md.
func TestChart(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := draw(text)
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile("../../docs/images/speed.svg"); err != nil || !bytes.Equal(have, want) {
		t.Errorf("docs/images/speed.svg is not current: go run ./bench/chart >docs/images/speed.svg (%v)", err)
	}
}
