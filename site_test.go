package tgmconv

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

// link matches the target of a link or a picture in Markdown.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// heading matches a heading in Markdown.
var heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)

// TestSite checks what `mkdocs build --strict` would, without mkdocs: the navigation in mkdocs.yml
// names every page once, and every link within the project leads somewhere.
func TestSite(t *testing.T) {
	config, err := os.ReadFile("mkdocs.yml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(config), "site_name: tgmconv "+tgm.Version+"\n") {
		t.Errorf("mkdocs.yml: site_name, the title of all pages, does not say version %s", tgm.Version)
	}
	pages := documentPages(t)
	for _, page := range pages {
		name := strings.TrimPrefix(filepath.ToSlash(page), "docs/")
		if n := len(regexp.MustCompile(`(?m): `+regexp.QuoteMeta(name)+`$`).FindAll(config, -1)); n != 1 {
			t.Errorf("mkdocs.yml names %s %d times, expected once", page, n)
		}
	}
	for _, name := range regexp.MustCompile(`(?m): (\S+\.md)$`).FindAllStringSubmatch(string(config), -1) {
		if !slices.Contains(pages, filepath.Join("docs", name[1])) {
			t.Errorf("mkdocs.yml names %s, which is not there", name[1])
		}
	}
	for _, page := range append(pages, "README.md", "CHANGELOG.md", "CONTRIBUTING.md") {
		checkLinks(t, page)
	}
}

// TestVersions demands that whatever installs a release names the version of the program.
func TestVersions(t *testing.T) {
	for file, texts := range map[string][]string{
		"packaging/brew/tgmconv.rb": {`tag: "v` + tgm.Version + `"`},
		"README.md":                 {"cmd/tgmconv@v" + tgm.Version + "\n", "tgmconv-" + tgm.Version + "-py3", "tgmconv_" + tgm.Version + "_linux_amd64.deb", "tgmconv_" + tgm.Version + "_linux_amd64.rpm"},
	} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if !strings.Contains(string(content), text) {
				t.Errorf("%s lacks %q, of version %s", file, text, tgm.Version)
			}
		}
	}
}

// documentPages returns the paths of all pages of the documentation.
func documentPages(t *testing.T) (pages []string) {
	t.Helper()
	err := filepath.WalkDir("docs", func(path string, _ os.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	return pages
}

// inSite reports whether a file is part of the site, which is made of docs alone.
func inSite(path string) bool { return strings.HasPrefix(filepath.ToSlash(path), "docs/") }

func checkLinks(t *testing.T, page string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range link.FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(m[1], "://") {
			continue
		}
		target, anchor, _ := strings.Cut(m[1], "#")
		path := page
		if target != "" {
			path = filepath.Join(filepath.Dir(page), target)
		}
		if inSite(page) && !inSite(path) {
			t.Errorf("%s: the link %s leads out of the site", page, m[1])
		}
		linked, err := os.ReadFile(path)
		if st, statErr := os.Stat(path); err != nil && (statErr != nil || !st.IsDir()) {
			t.Errorf("%s: the link %s leads nowhere", page, m[1])
			continue
		}
		if anchor != "" && !slices.Contains(anchors(string(linked)), anchor) {
			t.Errorf("%s: %s has no heading for the link %s", page, path, m[1])
		}
	}
}

// anchors are the names of the headings of a page, as mkdocs and GitHub make them.
func anchors(text string) (names []string) {
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z':
				return r
			}
			return -1
		}, strings.ToLower(m[1]))
		names = append(names, name)
	}
	return names
}
