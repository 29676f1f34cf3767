//go:build !man

package main

import "github.com/spf13/cobra"

// manCommands is empty in the binaries that users get: see man.go.
func manCommands() []*cobra.Command { return nil }
