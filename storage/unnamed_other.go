//go:build !linux

package storage

import (
	"errors"
	"os"
)

func createUnnamed(string) *os.File { return nil }

func link(*os.File, string) (string, error) { return "", errors.ErrUnsupported }
