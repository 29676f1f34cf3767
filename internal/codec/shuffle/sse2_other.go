//go:build !amd64

package shuffle

func encodeFast(_, _ []byte, _, _ int) int { return 0 }

func decodeFast(_, _ []byte, _, _ int) int { return 0 }

func splitBitsFast(_, _ []byte, _ int) int { return 0 }

func joinBitsFast(_, _ []byte, _ int) int { return 0 }
