package main

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"
)

// readMemfs takes the files below a folder, such as "definitions" or "samples", out of
// libeccodes_memfs.so. The library has a table of {path, content, length} records in its relocated
// read-only data: the pointers are found through the relocations.
func readMemfs(path, folder string) (map[string][]byte, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Class != elf.ELFCLASS64 || f.ByteOrder != binary.LittleEndian {
		return nil, fmt.Errorf("%s: not a 64-bit little-endian library", path)
	}
	rel, err := relocations(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	sec := f.Section(".data.rel.ro")
	if sec == nil {
		return nil, fmt.Errorf("%s: no section .data.rel.ro", path)
	}
	table, err := sec.Data()
	if err != nil {
		return nil, err
	}
	ro, err := readOnlyData(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	prefix := "/MEMFS/" + folder + "/"
	out := map[string][]byte{}
	for off := uint64(0); off+24 <= uint64(len(table)); off += 8 {
		name, ok := ro.cstring(rel[sec.Addr+off])
		if !ok || !strings.HasPrefix(name, prefix) {
			continue
		}
		content, ok := ro.bytes(rel[sec.Addr+off+8], binary.LittleEndian.Uint64(table[off+16:]))
		if !ok {
			return nil, fmt.Errorf("%s: content of %s lies outside the data", path, name)
		}
		out[strings.TrimPrefix(name, prefix)] = content
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no %s found", path, folder)
	}
	return out, nil
}

func relocations(f *elf.File) (map[uint64]uint64, error) {
	sec := f.Section(".rela.dyn")
	if sec == nil {
		return nil, fmt.Errorf("no section .rela.dyn")
	}
	data, err := sec.Data()
	if err != nil {
		return nil, err
	}
	syms, err := f.DynamicSymbols()
	if err != nil {
		return nil, err
	}
	out := map[uint64]uint64{}
	for i := 0; i+24 <= len(data); i += 24 {
		at := binary.LittleEndian.Uint64(data[i:])
		info := binary.LittleEndian.Uint64(data[i+8:])
		addend := binary.LittleEndian.Uint64(data[i+16:])
		switch elf.R_X86_64(info & 0xffffffff) {
		case elf.R_X86_64_RELATIVE:
			out[at] = addend
		case elf.R_X86_64_64:
			// DynamicSymbols leaves out the null symbol, number 0.
			if s := info >> 32; s > 0 && s <= uint64(len(syms)) {
				out[at] = syms[s-1].Value + addend
			}
		}
	}
	return out, nil
}

type memory struct {
	addr uint64
	data []byte
}

func readOnlyData(f *elf.File) (memory, error) {
	sec := f.Section(".rodata")
	if sec == nil {
		return memory{}, fmt.Errorf("no section .rodata")
	}
	data, err := sec.Data()
	return memory{sec.Addr, data}, err
}

func (m memory) bytes(addr, n uint64) ([]byte, bool) {
	if addr < m.addr || addr-m.addr > uint64(len(m.data)) || n > uint64(len(m.data))-(addr-m.addr) {
		return nil, false
	}
	return m.data[addr-m.addr:][:n], true
}

func (m memory) cstring(addr uint64) (string, bool) {
	if addr < m.addr || addr-m.addr >= uint64(len(m.data)) {
		return "", false
	}
	s := m.data[addr-m.addr:]
	for i, c := range s {
		if c == 0 {
			return string(s[:i]), true
		}
		if i > 256 {
			break
		}
	}
	return "", false
}
