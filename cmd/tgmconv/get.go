package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/mapping"
)

func newGet() *cobra.Command {
	var s selection
	return verb{
		use:   "get -p KEYS [flags] FILE...",
		short: "Print the values of keys, one object a line",
		long: `Print the values of keys, one object, field or variable a line, with blanks between them. An object without
one of the keys is an error, so that scripts can rely on complete lines. Latitudes and longitudes, the coordinates of
other objects, are left out instead.

` + keyHelp + "\n\n" + whereHelp,
		example: `  tgmconv get -p name,mars.step forecast.tgm
  tgmconv get -p shape -w name=2t forecast.tgm
  tgmconv get -p extra.source --per-message forecast.tgm`,
		options: s.declarePerMessage,
		run:     s.get,
	}.command()
}

func (s *selection) get(cmd *cobra.Command, names []string) error {
	keys := splitKeys(s.keys)
	if len(keys) == 0 {
		return usagef("get: no keys given: -p KEY,KEY...")
	}
	where, err := parseWhere(s.where)
	if err != nil {
		return err
	}
	defer where.warn(cmd.ErrOrStderr(), "object")
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
			return written(err)
		})
		if flushErr := out.Flush(); flushErr != nil {
			return written(flushErr)
		}
		return err
	})
}

func (s *selection) getJSON(cmd *cobra.Command, names, keys []string, where *whereFlag) error {
	list := newJSONList(cmd.OutOrStdout(), "")
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
			return list.add(values)
		})
	})
	return list.finish(err)
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
