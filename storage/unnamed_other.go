//go:build !linux

package storage

import (
	"errors"
	"os"
)

func createUnnamed(string) *os.File { return nil }

func link(*os.File, string) (string, error) { return "", errors.ErrUnsupported }

func linkNew(*os.File, string) error { return errors.ErrUnsupported }
