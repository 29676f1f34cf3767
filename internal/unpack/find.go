package unpack

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/tgmconv/tgmconv/storage"
)

// Find lists the inputs that locations name, as [storage.Client.Find] does, and for archives their members:
// all of them, or the members named after the archive.
//
// A file is an archive if its first bytes say so. Objects that were found by a folder or a pattern
// on the network are looked at only if their names have the ending of an archive.
func (c *Client) Find(ctx context.Context, locations ...string) ([]storage.Input, error) {
	var inputs []storage.Input
	for _, l := range locations {
		found, err := c.find(ctx, l)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, found...)
	}
	return inputs, nil
}

func (c *Client) find(ctx context.Context, location string) ([]storage.Input, error) {
	outer, member, named := Split(location)
	files, err := c.Client.Find(ctx, outer)
	if err != nil {
		return nil, err
	}
	listed := storage.IsRemote(outer) && (len(files) != 1 || files[0].Name != outer)
	var inputs []storage.Input
	for _, in := range files {
		if !named && listed && !likeArchive(in.Name) {
			inputs = append(inputs, in)
			continue
		}
		found, err := c.within(ctx, in, member, named)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, found...)
	}
	return inputs, nil
}

// likeArchive reports whether a name ends like an archive or a compressed file.
func likeArchive(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".zip", ".tar", ".tgz", ".tbz", ".tbz2", ".tzst", ".gz", ".bz2", ".zst":
		return true
	}
	return false
}

// within lists the inputs that an input stands for.
func (c *Client) within(ctx context.Context, in storage.Input, member string, named bool) ([]storage.Input, error) {
	if in.Name == storage.Stdin && !named {
		if _, ok, err := c.peekStdin(ctx, blockSize); ok || err != nil {
			return []storage.Input{in}, err
		}
	}
	n, err := c.file(ctx, in.Name)
	if err != nil {
		if named || ctx.Err() != nil {
			return nil, err
		}
		if storage.IsRemote(in.Name) {
			c.failed.Store(in.Name, err) // to be told without asking again
		}
		return []storage.Input{in}, nil // its opener reports why not
	}
	defer n.close()
	plain := n.depth
	found, err := n.members(ctx, in.Name, member, named)
	switch {
	case err != nil && (named || ctx.Err() != nil):
		return nil, located(in.Name, err)
	case err == nil && found != nil:
		for i := range found {
			found[i].Leaves = in.Leaves
		}
		return found, nil
	case n.depth > plain:
		in.Size = 0 // as it is unpacked, which is not known
	}
	return []storage.Input{in}, nil
}

// members lists the members of the archive n, which lies at a location; nil if it is no archive.
func (n *node) members(ctx context.Context, location, wanted string, named bool) ([]storage.Input, error) {
	a, err := n.archive(ctx)
	switch {
	case err != nil:
		return nil, err
	case a == nil && named:
		return nil, fmt.Errorf("neither a .zip nor a .tar archive, so it has no member %s", wanted)
	case a == nil || a.whole() != nil && !named:
		return nil, nil
	}
	if m := a.inFolder(wanted); named && m != nil {
		return []storage.Input{{Name: location + Separator + m.name, Size: m.folder.bytes()}}, nil
	}
	at, inner, nested := strings.Cut(wanted, Separator)
	if _, ok := a.byName[wanted]; ok {
		at, nested = wanted, false
	}
	chosen, err := a.chosen(at)
	if err != nil {
		return nil, err
	}
	var found []storage.Input
	for _, i := range chosen {
		name := a.members[i].name
		in := storage.Input{Name: location + Separator + name, FromFolder: name != at}
		more, err := n.inMember(ctx, a, i, in, inner, nested)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	if len(found) == 0 && named {
		return nil, fmt.Errorf("no member of the archive matches %s: %w", wanted, fs.ErrNotExist)
	}
	if len(found) == 0 {
		return nil, &ArchiveError{}
	}
	return found, nil
}

// inMember lists the inputs that a member stands for: itself, or its members.
func (outer *node) inMember(ctx context.Context, a *archive, i int, in storage.Input, wanted string, named bool) ([]storage.Input, error) {
	n, err := outer.memberNode(a, &a.members[i])
	if err != nil {
		return []storage.Input{in}, ctx.Err() // its opener reports why not
	}
	defer n.close()
	if n.blob != nil {
		in.Size = n.blob.Size()
	}
	plain := n.depth
	found, err := n.members(ctx, in.Name, wanted, named)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && named:
		return nil, nil // another member may have it
	case err == nil && found != nil:
		return found, nil
	case n.depth > plain:
		in.Size = 0
	}
	return []storage.Input{in}, nil
}

// selects reports whether a pattern stands for a member. It may be the member's own name, or the
// name of a folder with "/" at its end, with these characters in it.
func selects(pattern, name string) (bool, error) {
	if pattern == name || strings.HasSuffix(pattern, "/") && strings.HasPrefix(name, pattern) {
		return true, nil
	}
	ok, err := doublestar.Match(pattern, name)
	if err != nil {
		return false, fmt.Errorf("%s: %w", pattern, err)
	}
	return ok, nil
}

// isPattern reports whether a name after an archive may be a pattern.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[{") }

// chosen lists the members that a name after the archive stands for, in their order: the member of that name,
// the members below a folder, or the members that a pattern selects. No name stands for all. Only a pattern
// is compared with each member.
func (a *archive) chosen(wanted string) ([]int, error) {
	var list []int
	switch {
	case wanted == "":
		for i := range a.members {
			list = append(list, i)
		}
		return list, nil
	case isPattern(wanted):
		for i := range a.members {
			ok, err := selects(wanted, a.members[i].name)
			if err != nil {
				return nil, err
			}
			if ok {
				list = append(list, i)
			}
		}
		return list, nil
	}
	folder := wanted
	if !strings.HasSuffix(wanted, "/") {
		folder += "/"
		if i, ok := a.byName[wanted]; ok {
			list = append(list, i)
		}
	}
	order := a.sorted()
	first, _ := slices.BinarySearchFunc(order, folder, func(i int, name string) int { return strings.Compare(a.members[i].name, name) })
	for _, i := range order[first:] {
		if !strings.HasPrefix(a.members[i].name, folder) {
			break
		}
		list = append(list, i)
	}
	slices.Sort(list)
	return list, nil
}
