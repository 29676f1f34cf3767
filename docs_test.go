package tgmconv

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A documentation page shows what a user types and sees in ```console blocks: lines that begin with
// "$ " are typed, the others are what is printed. TestDocumentedCommands runs each page's commands
// in order, in one empty folder that has fixtures/ in it, and compares what they print. In the
// expected text a line "..." stands for any lines.
type documented struct {
	line    int
	command string
	want    []string
}

// changing matches texts that differ from run to run or from machine to machine.
var changing = []*regexp.Regexp{
	regexp.MustCompile(`\d+(\.\d+)?( ?)(ms|s)\b`),
	regexp.MustCompile(`127\.0\.0\.1:\d+`),
	regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`),
	regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ written`),
	regexp.MustCompile(`Written: +\S+Z( to \S+Z)?`),
}

func readDocumented(t *testing.T, path string) []documented {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []documented
	inside := false
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		switch {
		case strings.HasPrefix(line, "```"):
			inside = !inside && line == "```console"
		case inside && strings.HasPrefix(line, "$ "):
			out = append(out, documented{line: n, command: line[2:]})
		case inside && len(out) > 0:
			last := &out[len(out)-1]
			if strings.HasSuffix(last.command, `\`) && len(last.want) == 0 {
				last.command += "\n" + line
			} else {
				last.want = append(last.want, line)
			}
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func normalise(line string) string {
	for _, re := range changing {
		line = re.ReplaceAllString(line, "#")
	}
	return strings.Join(strings.Fields(line), " ")
}

// matches reports whether the printed lines are the documented ones.
func matches(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "..." {
		for i := 0; i <= len(got); i++ {
			if matches(want[1:], got[i:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && normalise(want[0]) == normalise(got[0]) && matches(want[1:], got[1:])
}

// built is the folder of the command, once it is built.
var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if err := os.RemoveAll(built); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// buildCommand returns the folder of the command, which it builds for the first test that asks.
func buildCommand(t *testing.T) (dir string) {
	t.Helper()
	if built != "" {
		return built
	}
	dir, err := os.MkdirTemp("", "tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "tgmconv"), "./cmd/tgmconv")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		_ = os.RemoveAll(dir)
		t.Fatalf("build: %v\n%s", err, out)
	}
	built = dir
	return dir
}

func TestDocumentedCommands(t *testing.T) {
	pages := append(documentPages(t), "README.md")
	bin := buildCommand(t)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		t.Run(page, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Symlink(filepath.Join(root, "fixtures"), filepath.Join(dir, "fixtures")); err != nil {
				t.Fatal(err)
			}
			for _, d := range readDocumented(t, page) {
				if n := len(d.want); n > 0 && d.want[n-1] == "..." {
					t.Errorf("%s:%d: $ %s: the output ends in ..., expected its last lines", page, d.line, d.command)
				}
				got := runDocumented(t, d, dir, bin)
				if len(d.want) > 0 && !matches(d.want, got) {
					t.Errorf("%s:%d: $ %s\nprinted:\n%s\ndocumented:\n%s", page, d.line, d.command,
						strings.Join(got, "\n"), strings.Join(d.want, "\n"))
				}
			}
			comparePictures(t, page, dir)
		})
	}
}

// runDocumented runs one command of a page. A server listens on a free port, whatever the page says,
// and is stopped when it has printed its first lines.
func runDocumented(t *testing.T, d documented, dir, bin string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	server := strings.HasPrefix(d.command, "tgmconv serve ") && !strings.Contains(d.command, "--check")
	cmd := exec.CommandContext(ctx, "sh", "-c", "exec 2>&1; "+d.command)
	if server {
		cmd = exec.CommandContext(ctx, "timeout", "-s", "INT", "2", "sh", "-c", "exec 2>&1; exec "+d.command+" --addr 127.0.0.1:0")
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "COLUMNS=120", "GOGC=off") // there is little garbage of small inputs
	out, err := cmd.Output()
	fails := len(d.want) > 0 && strings.HasPrefix(d.want[0], "tgmconv: ")
	if err != nil && !server && !fails {
		t.Errorf("line %d: $ %s: %v\n%s", d.line, d.command, err, out)
	}
	out = bytes.TrimRight(out, "\n")
	if len(out) == 0 {
		return nil
	}
	return strings.Split(string(out), "\n")
}
