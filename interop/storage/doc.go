// Package storage compares what tgmconv reads from and writes to servers of object stores with what
// it does with files. Its tests are tagged interop.
package storage
