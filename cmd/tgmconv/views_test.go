package main

import (
	"strings"
	"testing"
)

// Every verb shows its flags, says what it does, and gives an example.
func TestHelpOfViewingCommands(t *testing.T) {
	for _, cmd := range viewingCommands() {
		if cmd.Short == "" || !strings.Contains(cmd.Example, "tgmconv "+cmd.Name()) {
			t.Errorf("%s has no description or no example", cmd.Name())
		}
	}
}
