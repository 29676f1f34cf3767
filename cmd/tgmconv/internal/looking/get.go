package looking

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/mapping"
)

// NewGet returns the verb get.
func NewGet() *cobra.Command {
	var s selection
	return cli.Verb{
		Use:   "get -p KEYS [flags] FILE...",
		Short: "Print the values of keys, one object per line",
		Long: `Print the values of keys, one object, field or variable per line, separated by blanks. An object without
one of the keys is an error, so that scripts can rely on complete lines. Latitudes and longitudes, the coordinates of
other objects, are left out instead.

` + cli.KeyHelp + "\n\n" + cli.WhereHelp,
		Example: `  tgmconv get -p name,mars.step forecast.tgm
  tgmconv get -p shape -w name=2t forecast.tgm
  tgmconv get -p extra.source --per-message forecast.tgm`,
		Options: s.declarePerMessage,
		Run:     s.get,
	}.Command()
}

func (s *selection) get(cmd *cobra.Command, names []string) error {
	keys := cli.SplitKeys(s.keys)
	if len(keys) == 0 {
		return cli.Usagef("get: no keys given: -p KEY,KEY...")
	}
	where, err := cli.ParseWhere(s.where)
	if err != nil {
		return err
	}
	defer where.Warn(cmd.ErrOrStderr(), "object")
	if s.json {
		return s.getJSON(cmd, names, keys, where)
	}
	return s.eachListed(cmd, names, where, func(f *listedFile) error {
		out := bufio.NewWriter(cmd.OutOrStdout())
		err := f.each(func(r row) error {
			texts := make([]string, len(keys))
			for i, key := range keys {
				value, ok := r.key(key)
				if !ok && r.isCoordinate() {
					return nil
				}
				if !ok {
					return missingKey(r, key)
				}
				text, err := show.Text(value)
				if err != nil {
					return err
				}
				texts[i] = safetext.Line(text)
			}
			_, err := fmt.Fprintln(out, strings.Join(texts, " "))
			return cli.Written(err)
		})
		if flushErr := out.Flush(); flushErr != nil {
			return cli.Written(flushErr)
		}
		return err
	})
}

func (s *selection) getJSON(cmd *cobra.Command, names, keys []string, where *cli.WhereFlag) error {
	list := cli.NewJSONList(cmd.OutOrStdout(), "")
	err := s.eachListed(cmd, names, where, func(f *listedFile) error {
		return f.each(func(r row) error {
			values := make(map[string]any, len(keys))
			for _, key := range keys {
				value, ok := r.key(key)
				if !ok && r.isCoordinate() {
					return nil
				}
				if !ok {
					return missingKey(r, key)
				}
				values[key] = value
			}
			return list.Add(values)
		})
	})
	return list.Finish(err)
}

// isCoordinate tells the coordinates that a conversion adds from the fields, whose keys they do not
// have.
func (r row) isCoordinate() bool {
	name, _ := r.key(mapping.KeyName)
	text, _ := name.(string)
	return mapping.IsGridCoordinate(text)
}

// missingKey says which object or message has not the key.
func missingKey(r row, key string) error {
	where := ""
	if message, ok := r.key("message"); ok {
		where = fmt.Sprintf("message %v", message)
	}
	if object, ok := r.key("object"); ok {
		where += fmt.Sprintf(", object %v", object)
	}
	return fmt.Errorf("%s: there is no key %q", where, key)
}
