package main

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
)

func newSchema() *cobra.Command {
	return cli.Verb{
		Use:   "schema VERB...",
		Short: "Print the flags of a verb as JSON Schema",
		Long: `Print the flags of a verb as a JSON Schema (2020-12): names, types, defaults, words, ranges and help. Forms and
workflow engines can check the flags of a command with it before they run the command.`,
		Example: `  tgmconv schema convert
  tgmconv schema grib ls`,
		Words: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("schema: no verb given, such as convert")
			}
			_, err := cli.VerbNamed(cli.WholeTree(cmd), args)
			return err
		},
		Run: func(cmd *cobra.Command, args []string) error {
			of, err := cli.VerbNamed(cli.WholeTree(cmd), args)
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(cmd.OutOrStdout())
			encoder.SetIndent("", "  ")
			encoder.SetEscapeHTML(false)
			return cli.Written(encoder.Encode(schemaOf(of)))
		},
	}.Command()
}

// A schema is the part of JSON Schema that flags need.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        string             `json:"type"`
	Default     any                `json:"default,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Minimum     *int               `json:"minimum,omitempty"`
	Maximum     *int               `json:"maximum,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
}

// schemaOf describes the flags of a verb, without flags that exist only for scripts of other
// programs.
func schemaOf(cmd *cobra.Command) *schema {
	s := &schema{
		Dialect: "https://json-schema.org/draft/2020-12/schema", Title: cmd.CommandPath(), Description: cmd.Short,
		Type: "object", Properties: make(map[string]*schema), Additional: false,
	}
	add := func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			s.Properties[f.Name] = flagSchema(f)
		}
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return s
}

// flagSchema describes a flag.
func flagSchema(f *pflag.Flag) *schema {
	s := &schema{Description: f.Usage, Type: "string"}
	one := s
	switch f.Value.Type() {
	case "bool":
		s.Type, s.Default = "boolean", f.DefValue == "true"
	case "int", "int64", "uint16":
		s.Type, s.Default = "integer", defaultNumber(f.DefValue)
	case "float64":
		s.Type, s.Default = "number", defaultNumber(f.DefValue)
	case "stringToString":
		s.Type, s.Additional = "object", &schema{Type: "string"}
	case "float64Slice":
		s.Type, s.Items = "array", &schema{Type: "number"}
	case "stringSlice", "stringArray":
		one = &schema{Type: "string"}
		s.Type, s.Items = "array", one
		if list := strings.Trim(f.DefValue, "[]"); list != "" {
			s.Default = strings.Split(list, ",")
		}
	default:
		if f.DefValue != "" {
			s.Default = f.DefValue
		}
	}
	one.Enum = f.Annotations[cli.AnnotatedWords]
	s.Minimum, s.Maximum = bound(f, cli.AnnotatedFrom), bound(f, cli.AnnotatedTo)
	if d, ok := s.Default.(float64); ok && (s.Minimum != nil && d < float64(*s.Minimum) || s.Maximum != nil && d > float64(*s.Maximum)) {
		s.Default = nil // it stands for a choice that the verb makes
	}
	return s
}

// defaultNumber is the default of a numeric flag.
func defaultNumber(text string) any {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v
	}
	return nil
}

// bound is an end of the range of a flag, nil if there is none.
func bound(f *pflag.Flag, name string) *int {
	if texts := f.Annotations[name]; len(texts) > 0 {
		if n, err := strconv.Atoi(texts[0]); err == nil {
			return &n
		}
	}
	return nil
}
