package cf

import "strings"

// VariableName makes a variable name of any name, as CF recommends. It has letters, digits and
// underscores and begins with a letter: t2m for 2t, u10 for 10u, as cfgrib has them.
func VariableName(name string) string {
	head, tail, cut := strings.Cut(name, "_")
	if rest := strings.TrimLeft(head, "0123456789"); rest != head && rest != "" {
		height := head[:len(head)-len(rest)]
		if height == "2" && (rest == "t" || rest == "d") {
			height = "2m"
		}
		if head = rest + height; cut {
			head += "_" + tail
		}
		name = head
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '_'
	}, name)
	if clean == "" || clean[0] == '_' || clean[0] >= '0' && clean[0] <= '9' {
		clean = "v" + clean
	}
	return clean
}
