package cli

import (
	"runtime/debug"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

func TestBuildOf(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.time", Value: "2026-11-22T10:00:00Z"}}
	for _, test := range []struct {
		name, module string
		settings     []debug.BuildSetting
		want         build
	}{
		{"release built in the repository", "v1.2.3", vcs, build{"1.2.3", "0123456789ab", "2026-11-22"}},
		{"release installed by go install", "v1.2.3", nil, build{"1.2.3", "", ""}},
		{"commit installed by go install", "v0.0.0-20261121083000-abcdef012345", nil, build{tgm.Version + "-devel", "abcdef012345", "2026-11-21"}},
		{"commit after a release", "v1.2.4-0.20261121083000-abcdef012345", nil, build{tgm.Version + "-devel", "abcdef012345", "2026-11-21"}},
		{"changed since the commit", "v1.2.3+dirty", vcs, build{tgm.Version + "-devel", "0123456789ab", "2026-11-22"}},
		{"changed since a commit without a tag", "v0.0.0-20261121083000-abcdef012345+dirty", nil, build{tgm.Version + "-devel", "abcdef012345", "2026-11-21"}},
		{"nothing known", "(devel)", nil, build{tgm.Version + "-devel", "", ""}},
	} {
		if got := buildOf(&debug.BuildInfo{Main: debug.Module{Version: test.module}, Settings: test.settings}); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}
