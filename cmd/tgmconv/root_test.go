package main

import (
	"bytes"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
)

// TestVerbsAskedFor expects a verb that is made alone to have the same help as in the tree of all
// verbs.
func TestVerbsAskedFor(t *testing.T) {
	for _, v := range verbs {
		if name := v.command().Name(); name != v.name {
			t.Errorf("%s is registered as %s", name, v.name)
		}
		for _, args := range [][]string{{v.name, "--help"}, {v.name, "--bit"}, {v.name, "--no-such-flag"}, {v.name, "--bits", "x", "no such file"}} {
			whole, alone := newRoot(), cli.Session{}
			part, addVerbs := newRootFor(args)
			if n := len(part.Commands()); n > 3 { // with help and completion
				t.Errorf("%q: built %d verbs, expected one", args, n)
			}
			alone.AddVerbs = addVerbs
			var want, got bytes.Buffer
			whole.SetOut(&want)
			part.SetOut(&got)
			wantCode := run(t.Context(), whole, args, &want)
			if code := run(alone.In(t.Context()), part, args, &got); code != wantCode || got.String() != want.String() {
				t.Errorf("%q: exit code %d, expected %d, and\n%s\nexpected\n%s", args, code, wantCode, &got, &want)
			}
		}
	}
}

// TestVersionNeedsNoVerb expects the version without any verb.
func TestVersionNeedsNoVerb(t *testing.T) {
	root, _ := newRootFor([]string{"--version"})
	var out bytes.Buffer
	root.SetOut(&out)
	if code := run(t.Context(), root, []string{"--version"}, &out); code != cli.ExitOK || root.HasSubCommands() || !bytes.HasPrefix(out.Bytes(), []byte("tgmconv ")) {
		t.Errorf("exit code %d with verbs %v: %s", code, root.Commands(), &out)
	}
}
