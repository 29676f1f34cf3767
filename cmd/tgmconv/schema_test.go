package main

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
)

// TestSchemas expects a schema of each verb with all its flags, whose defaults are among the words and in the range.
func TestSchemas(t *testing.T) {
	root := newRoot()
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			look(sub)
		}
		text, err := json.Marshal(schemaOf(cmd))
		if err != nil {
			t.Fatal(err)
		}
		var s schema
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			p := s.Properties[f.Name]
			if f.Hidden || f.Name == "help" {
				return
			}
			if p == nil {
				t.Errorf("%s --%s is not in the schema", cmd.CommandPath(), f.Name)
				return
			}
			if d, ok := p.Default.(string); ok && p.Enum != nil && d != "" && !slices.Contains(p.Enum, d) {
				t.Errorf("%s --%s has the default %q, which is none of %q", cmd.CommandPath(), f.Name, d, p.Enum)
			}
		})
	}
	look(root)
	deflate := schemaOf(verbNamed(t, root, "to-netcdf")).Properties["deflate"]
	if deflate.Type != "integer" || *deflate.Minimum != 0 || *deflate.Maximum != 9 {
		t.Errorf("to-netcdf --deflate is %+v, expected an integer from 0 to 9", deflate)
	}
	over := schemaOf(verbNamed(t, root, "extract")).Properties["over"]
	if over.Type != "array" || !slices.Equal(over.Items.Enum, looking.OverNames()) {
		t.Errorf("extract --over is %+v, expected a list of %q", over, looking.OverNames())
	}
}

func verbNamed(t *testing.T, root *cobra.Command, name string) *cobra.Command {
	t.Helper()
	cmd, err := cli.VerbNamed(root, []string{name})
	if err != nil {
		t.Fatal(err)
	}
	return cmd
}
