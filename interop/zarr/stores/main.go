// Command stores prints what package zarr reads in Zarr stores, a line of JSON for each group and array:
//
//	stores STORE...
//
// A store is a folder or a ZIP archive. Elements are the SHA-256 of their bytes: little-endian in C order,
// texts and blobs each after its length in eight bytes.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/zarr"
)

type line struct {
	Store, Path, Error, Type, Digest, Fill string
	Format                                 int
	Group                                  bool
	Shape                                  []uint64
	Dims                                   []string
	Attributes                             json.RawMessage
}

func main() {
	out := json.NewEncoder(os.Stdout)
	for _, path := range os.Args[1:] {
		store, done, err := open(path)
		if err != nil {
			out.Encode(line{Store: path, Error: err.Error()})
			continue
		}
		for node, err := range zarr.Nodes(context.Background(), store, "") {
			l := line{Store: path, Path: node.Path}
			if err == nil {
				err = l.describe(node)
			}
			if err != nil {
				l.Error = err.Error()
			}
			if err := out.Encode(l); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		done()
	}
}

func open(path string) (zarr.Store, func(), error) {
	stat, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if stat.IsDir() {
		folder, err := zarr.OpenFolder(path)
		return folder, func() { folder.Close() }, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	store, err := zarr.NewZip(file, stat.Size())
	return store, func() { file.Close() }, err
}

func (l *line) describe(node *zarr.Node) error {
	if node.Group != nil {
		l.Group, l.Format = true, node.Group.Format
		return l.setAttributes(node.Group.Attributes)
	}
	meta := node.Array.Metadata()
	l.Format, l.Shape, l.Dims, l.Type = meta.Format, meta.Shape, meta.DimensionNames, string(meta.DataType)
	if err := l.setAttributes(meta.Attributes); err != nil {
		return err
	}
	fill, err := meta.FillElement()
	if err != nil {
		return err
	}
	l.Fill = hex.EncodeToString(fill)
	digest, err := elements(node.Array)
	l.Digest = digest
	return err
}

func (l *line) setAttributes(attributes map[string]any) (err error) {
	l.Attributes, err = jsontext.Append(nil, attributes)
	return err
}

func elements(a *zarr.Array) (string, error) {
	ctx, shape := context.Background(), a.Metadata().Shape
	start := make([]uint64, len(shape))
	sum := sha256.New()
	switch a.Element().Kind {
	case zarr.KindText, zarr.KindBlob, zarr.KindList, zarr.KindChars, zarr.KindBytes:
		texts, err := a.ReadBlobs(ctx, start, shape)
		if err != nil {
			return "", err
		}
		for _, text := range texts {
			sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
			sum.Write(text)
		}
	default:
		size, err := a.Metadata().Bytes()
		if err != nil {
			return "", err
		}
		data := make([]byte, size)
		if err := a.Read(ctx, data); err != nil {
			return "", err
		}
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
