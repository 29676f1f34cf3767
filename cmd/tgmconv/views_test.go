package main

import (
	"slices"
	"strings"
	"testing"
)

// Every verb shows its flags, a description, and an example.
func TestHelpOfVerbs(t *testing.T) {
	without := []string{"help", "completion", "version", "worker", "man"}
	for _, cmd := range newRoot().Commands() {
		if cmd.Short == "" || !slices.Contains(without, cmd.Name()) && !strings.Contains(cmd.Example, "tgmconv "+cmd.Name()) {
			t.Errorf("%s has no description or no example", cmd.Name())
		}
	}
}
