package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/archive"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/grib/fields"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromany"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/show"
	"github.com/tgmconv/tgmconv/storage"
)

const (
	completionTime   = 2 * time.Second // that a shell is kept waiting
	completionFields = 5000            // that are looked at
	completionValues = 200             // of a key
)

// completionKeys are the keys that the shell offers, where the files have them.
var completionKeys = []string{
	"name", "shortName", "paramId", "typeOfLevel", "level", "levtype", "levelist", "step", "stepRange", "stepType", "dataDate", "dataTime", "date", "time",
	"number", "units", "centre", "class", "stream", "type", "expver", "gridType", "standard_name", "long_name", "dtype", "dims",
}

// completeKeys lets the shell complete --where: the keys that the files of the command line have,
// and after = their values; and --keys.
func completeKeys(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		completeKeys(cmd)
	}
	for flag, complete := range map[string]cobra.CompletionFunc{"where": whereCompletions, "keys": keyCompletions} {
		if root.Flags().Lookup(flag) == nil {
			continue
		}
		if err := root.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // a flag that was registered twice, which any use of the command shows
		}
	}
}

// keyCompletions completes the last of several keys joined by commas.
func keyCompletions(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var found []cobra.Completion
	for key := range presentKeys(cmd, args, completionKeys) {
		if key = before + key; strings.HasPrefix(key, typed) {
			found = append(found, key)
		}
	}
	slices.Sort(found)
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func whereCompletions(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before, clause := "", typed
	if comma := strings.LastIndexByte(typed, ','); comma >= 0 {
		before, clause = typed[:comma+1], typed[comma+1:]
	}
	key, value, hasValue := strings.Cut(clause, "=")
	keys := completionKeys
	if hasValue {
		keys = []string{strings.TrimRight(key, "!<>")}
		if slash := strings.LastIndexByte(value, '/'); slash >= 0 {
			clause = clause[:len(clause)-len(value)+slash+1]
		} else {
			clause = clause[:len(clause)-len(value)]
		}
	}
	var found []cobra.Completion
	for key, values := range presentKeys(cmd, args, keys) {
		if !hasValue {
			found = append(found, before+key+"=")
			continue
		}
		for v := range values {
			found = append(found, before+clause+v)
		}
	}
	found = slices.DeleteFunc(found, func(c string) bool { return !strings.HasPrefix(c, typed) })
	slices.Sort(found)
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// presentKeys are those of the keys that the files have, with their values; all of the keys as long
// as no file is named. Files that cannot be read, and addresses, have none.
func presentKeys(cmd *cobra.Command, names, keys []string) map[string]map[string]bool {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	cmd.SetContext(ctx)
	found := make(map[string]map[string]bool)
	if len(names) == 0 {
		for _, key := range keys {
			found[key] = nil
		}
	}
	note := func(text func(key string) (string, bool)) {
		for _, key := range keys {
			v, ok := text(key)
			if !ok {
				continue
			}
			if found[key] == nil {
				found[key] = make(map[string]bool)
			}
			if len(found[key]) < completionValues && !strings.ContainsAny(v, ",/") {
				found[key][v] = true
			}
		}
	}
	for _, name := range names {
		if name == storage.Stdin || storage.IsRemote(name) {
			continue
		}
		format, err := fromany.FormatOf(cmd.Context(), clientOf(cmd), name)
		switch {
		case err != nil:
		case format == importers.FormatGRIB && readsGRIB(cmd):
			noteGRIB(cmd, name, note)
		default:
			noteObjects(cmd, name, note)
		}
	}
	return found
}

// readsGRIB reports whether the keys of --where are those of ecCodes.
func readsGRIB(cmd *cobra.Command) bool {
	return strings.HasPrefix(cmd.Name(), "convert") || cmd.HasParent() && cmd.Parent().Name() == "grib"
}

func noteGRIB(cmd *cobra.Command, name string, note func(func(string) (string, bool))) {
	disk, err := openDisk(cmd, name)
	if err != nil {
		return
	}
	defer disk.Close()
	n := 0
	for f, err := range (fields.Scanner{Reader: disk, Size: disk.size}).All(cmd.Context()) {
		if n++; err != nil || n > completionFields {
			return
		}
		note(fromgrib.Lookup(f.Handle).Text)
	}
}

func noteObjects(cmd *cobra.Command, name string, note func(func(string) (string, bool))) {
	n := 0
	a, err := archive.List(cmd.Context(), []string{name}, archive.Options{Client: clientOf(cmd),
		Select: func(o *dataset.Object) bool {
			if n++; n > completionFields {
				return false
			}
			note(func(key string) (string, bool) {
				v, ok := o.Base.Lookup(key)
				if !ok {
					return "", false
				}
				text, err := show.Text(v)
				return text, err == nil
			})
			return false
		}})
	if err == nil {
		a.Close()
	}
}
