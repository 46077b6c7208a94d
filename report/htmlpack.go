package report

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/brennerlint/brennerlint/lint"
)

const (
	// compressFrom is from how many bytes of JSON on a page compresses it. Less can
	// be searched with any tool.
	compressFrom = 512 << 10
	// blockSize is how many bytes of details are in one block, roughly: the script
	// reads a whole block to show one group.
	blockSize = 256 << 10
)

// pageBlock is some JSON of a page.
type pageBlock struct {
	json []byte
	text string // compressed, in base64; "" if it is not
}

// compress makes the block small.
func (b *pageBlock) compress() {
	if b.text != "" {
		return
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b.json) // a buffer has no errors
	_ = z.Close()
	b.text, b.json = base64.StdEncoding.EncodeToString(out.Bytes()), nil
}

func (b *pageBlock) size() int { return max(len(b.json), len(b.text)) }

// write writes the data, in at most so many bytes.
func (p *pageData) write(w *bufio.Writer, room int) {
	blocks := p.blocks(room)
	p.index.Rules, p.index.Agents, p.index.Paths = ruleTexts(p.rules.texts), p.agents.texts, p.paths.texts
	p.index.Groups = append([]*pageGroup{}, p.groups...) // never null
	index := p.encodeIndex(room)
	if len(blocks) > 0 && blocks[0].text != "" || len(index.json) > compressFrom {
		index.compress()
	}
	if p.index.Omitted > 0 {
		blocks = nil // they are of all findings
	}
	index.write(w, "index")
	for i := range blocks {
		blocks[i].write(w, fmt.Sprint("block-", i+1))
	}
}

func (b *pageBlock) write(w *bufio.Writer, id string) {
	if b.text != "" {
		fmt.Fprintf(w, "<script type=\"application/gzip\" id=%q>%s</script>\n", id, b.text)
		return
	}
	fmt.Fprintf(w, "<script type=\"application/json\" id=%q>%s</script>\n", id, b.json)
}

// encodeIndex returns the index, without the least severe findings if there are more than a
// page has room for.
func (p *pageData) encodeIndex(room int) *pageBlock {
	for {
		b := &pageBlock{json: encode(&p.index)}
		if len(b.json) <= room/2 {
			return b
		}
		if b.compress(); len(b.text) <= room || !p.halve() {
			return b
		}
	}
}

// halve leaves out half of the findings, the least severe first, and what has none;
// false if nothing is left.
func (p *pageData) halve() bool {
	var n int
	for _, g := range p.groups {
		n += g.count()
	}
	left := (n + 1) / 2
	p.index.Omitted += left
	for s := lint.Info; s >= lint.Error; s-- {
		for i := len(p.groups) - 1; i >= 0; i-- {
			for _, e := range p.groups[i].Entries {
				e.Findings = slices.DeleteFunc(e.Findings, func(f pageFinding) bool {
					omit := left > 0 && f.Severity == int(s)
					if omit {
						left--
					}
					return omit
				})
			}
		}
	}
	p.groups = slices.DeleteFunc(p.groups, func(g *pageGroup) bool {
		if g.Thread && len(g.Entries) == 0 {
			p.index.Clean++
		}
		g.Block, g.At, g.Whole = 0, 0, false // the sources would be those of other findings
		g.Entries = slices.DeleteFunc(g.Entries, func(e *pageEntry) bool { return len(e.Findings) == 0 })
		return len(g.Entries) == 0
	})
	p.index.Groups = p.groups
	return n > 0
}

// count returns the number of findings of a group that the index has.
func (g *pageGroup) count() int {
	n := 0
	for _, e := range g.Entries {
		n += len(e.Findings)
	}
	return n
}

// blocks returns the details of the groups, in at most so many bytes less what the index
// takes: whole ones as long as there is room, then sources alone, then none.
func (p *pageData) blocks(room int) []*pageBlock {
	b := &blockBuilder{room: room - p.indexSize()}
	for _, g := range p.groups {
		if g.view == nil && g.files == nil && len(g.Entries) == 0 {
			continue
		}
		full := b.room*3/10 < b.room-b.used
		if full {
			g.Whole = g.view != nil || g.files != nil
		}
		b.add(g, encode(p.detail(g, g.Whole)))
	}
	b.close()
	return b.blocks
}

// indexSize returns what the index takes, roughly.
func (p *pageData) indexSize() int {
	b := &pageBlock{json: encode(p.groups)}
	if len(b.json) > compressFrom {
		b.compress()
	}
	return b.size()
}

// blockBuilder packs details into blocks.
type blockBuilder struct {
	room, used, raw int
	blocks          []*pageBlock
	open            []byte // details of the block that is being filled
	groups          []*pageGroup
	compressed      bool
}

func (b *blockBuilder) add(g *pageGroup, detail []byte) {
	if b.used >= b.room {
		g.Whole = false
		return
	}
	g.Block, g.At = len(b.blocks)+1, len(b.groups)
	if len(b.groups) > 0 {
		b.open = append(b.open, ",\n"...)
	}
	b.open, b.groups = append(b.open, detail...), append(b.groups, g)
	if len(b.open) >= blockSize {
		b.close()
	}
}

// close ends a block. One that the page has no room for is left out.
func (b *blockBuilder) close() {
	if len(b.groups) == 0 {
		return
	}
	block := &pageBlock{json: append(append([]byte("["), b.open...), ']')}
	b.raw += len(block.json)
	if tight := b.used+len(block.json) > b.room; (tight || b.raw > compressFrom) && !b.compressed {
		b.compressed, b.used = true, 0
		for _, earlier := range b.blocks {
			earlier.compress()
			b.used += earlier.size()
		}
	}
	if b.compressed {
		block.compress()
	}
	if b.used += block.size(); b.used > b.room {
		for _, g := range b.groups {
			g.Block, g.At, g.Whole = 0, 0, false
		}
	} else {
		b.blocks = append(b.blocks, block)
	}
	b.open, b.groups = b.open[:0], nil
}

// encode returns a value as JSON that may be inside markup.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Errorf("encode the data of a page: %w", err)) // texts and numbers
	}
	return data
}
