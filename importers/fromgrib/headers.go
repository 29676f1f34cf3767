package fromgrib

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/grib"
)

// headerChunk is what is read of a message at first when its keys decide whether its data is wanted.
const headerChunk = 4 << 10

// partial is a message of which only the headers are read: it has its full length, with anything in place of the data.
type partial struct {
	r    io.ReaderAt
	at   int64 // of the message
	data []byte
	have int // data[:have] is read
}

// readHeaders reads what stands around the data of a message into data, which has the message's length.
//
//	edition 2   16 octets, then sections (length uint32, number): of 6 and 7 the first octets only; "7777"
//	edition 1   8 octets, section 1 whole, 2 whole, of 3 and 4 the first octets; "7777"
func readHeaders(r io.ReaderAt, info grib.Info, data []byte) error {
	p := &partial{r: r, at: info.Offset, data: data}
	if err := p.need(0, min(headerChunk, len(data))); err != nil {
		return err
	}
	var err error
	if info.Edition == 1 {
		err = p.edition1()
	} else {
		err = p.edition2()
	}
	copy(data[len(data)-4:], "7777") // the scan has seen it
	return err
}

// need makes sure that data[from:from+n] is read, as far as the message goes. What lies between may stay unread.
func (p *partial) need(from, n int) error {
	end := min(from+n, len(p.data))
	if end <= p.have {
		return nil
	}
	from = max(from, 0)
	if from <= p.have {
		from = p.have
	}
	if _, err := io.ReadFull(io.NewSectionReader(p.r, p.at+int64(from), int64(end-from)), p.data[from:end]); err != nil {
		return fmt.Errorf("reading %d bytes at byte %d: %w", end-from, p.at+int64(from), err)
	}
	if from == p.have {
		p.have = end
	}
	return nil
}

func (p *partial) edition2() error {
	for at := 16; at+5 <= len(p.data)-4; {
		if err := p.need(at, 6); err != nil {
			return err
		}
		length, number := int64(binary.BigEndian.Uint32(p.data[at:])), p.data[at+4]
		if length < 5 || length > int64(len(p.data)-4-at) {
			return nil // the parser will say what is wrong
		}
		if number != 6 && number != 7 {
			if err := p.need(at, int(length)); err != nil {
				return err
			}
		}
		at += int(length)
	}
	return nil
}

// dataHead1 is more of section 4 of edition 1 than any of its packings has in front of the values' first octets.
const dataHead1 = 64

func (p *partial) edition1() error {
	at, end := 8, len(p.data)-4
	length := func(at int) int {
		if at+3 > end {
			return 0
		}
		return int(p.data[at])<<16 | int(p.data[at+1])<<8 | int(p.data[at+2])
	}
	if err := p.need(at, 28); err != nil {
		return err
	}
	if at+8 > end {
		return nil
	}
	n1, flags := length(at), p.data[at+7]
	if err := p.need(at, n1); err != nil {
		return err
	}
	at += n1
	for _, section := range []struct {
		present bool
		whole   bool
	}{{flags&0x80 != 0, true}, {flags&0x40 != 0, false}, {true, false}} {
		if !section.present || at >= end {
			continue
		}
		if err := p.need(at, dataHead1); err != nil {
			return err
		}
		n := length(at)
		if section.whole {
			if err := p.need(at, n); err != nil {
				return err
			}
		}
		at += n
	}
	return nil
}
