package mapping

import "strings"

// A PartialClause is the typed beginning of clauses, for programs that complete it.
type PartialClause struct {
	// Prefix is the text before the word that is being typed, and Word its typed part.
	Prefix, Word string
	// Key is the key that the word is a value of; empty if the word is a key.
	Key string
}

// ParsePartialClause finds which word of the last clause in a text is being typed. The word is its key,
// its value, or the last of several values with slashes between them.
func ParsePartialClause(text string) PartialClause {
	at := strings.LastIndexByte(text, ',') + 1
	clause := text[at:]
	key, _, hasValue := strings.Cut(clause, "=")
	if !hasValue {
		return PartialClause{Prefix: text[:at], Word: clause}
	}
	at += len(key) + len("=")
	at += strings.LastIndexByte(text[at:], '/') + 1
	return PartialClause{Prefix: text[:at], Word: text[at:], Key: strings.TrimRight(key, "!<>")}
}
