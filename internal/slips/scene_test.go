package slips

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/gen"
)

// stage says what inputs a scene consists of.
type stage int

const (
	research  stage = iota // a research thread with one or two versions and deltas after them
	work                   // the thread of an engineering task, or of coordination
	file                   // the artifact file of a research thread, alone
	jsonFile               // the same artifact as a reference compiler writes it, alone
	published              // a research thread and its artifact file
	pair                   // two research threads; the second refers to the first
)

// scene is conforming input, and what a slip made of it.
type scene struct {
	gen.Chance
	stage  stage
	thread *gen.Thread
	prior  *gen.Thread // the first of a pair
	config string      // .brennerlint.yaml, or ""
	export string      // the thread JSON, if it is not that of the thread

	at      place  // where the slip is reported
	changed place  // the text that the slip changed
	fixed   string // the text after its fix, if known
}

// part is a text of a scene.
type part int

const (
	body part = iota
	subject
	ackRequired
	threadID
	sender
	artifact // the artifact file, Markdown or JSON
	export   // the thread JSON as it is
	configuration
)

// place is an offset in a text; message counts from 0.
type place struct {
	part    part
	message int
	offset  int
}

// newScene makes conforming input, perhaps of few words.
func newScene(c gen.Chance, st stage, brief bool) *scene {
	s := &scene{Chance: c, stage: st}
	switch st {
	case work:
		s.thread = gen.NewWork(c, 20)
	case pair:
		s.prior = gen.NewThread(c, gen.Shape{Index: 3, Rounds: 1, Prior: "RS-20251101-before-all", Brief: brief})
		s.thread = gen.NewThread(c, gen.Shape{Index: 20, Rounds: 2, Prior: s.prior.ID, Brief: brief})
	default:
		s.thread = gen.NewThread(c, gen.Shape{
			Index: 20, Rounds: 1 + c.IntN(2), Pending: st == research, Prior: "RS-20251101-before-all", JSON: st == jsonFile, Brief: brief,
		})
	}
	return s
}

// clone returns a copy that is independent of the scene.
func (s *scene) clone() *scene {
	out := *s
	out.thread = copyOf(s.thread)
	if s.prior != nil {
		out.prior = copyOf(s.prior)
	}
	return &out
}

func copyOf(t *gen.Thread) *gen.Thread {
	out := *t
	out.Messages = slices.Clone(t.Messages)
	return &out
}

// drawn is what a scene is drawn by: many slips are made in the same one.
type drawn struct {
	seed  uint64
	stage stage
	brief bool
}

var (
	scenes  = map[drawn]*scene{}
	sources = map[drawn]*rand.PCG{} // as the scene leaves them
)

// sceneOf returns a scene of its own for a slip.
func sceneOf(seed uint64, st stage, brief bool) *scene {
	by := drawn{seed, st, brief}
	if scenes[by] == nil {
		sources[by] = rand.NewPCG(seed, 2)
		scenes[by] = newScene(rand.New(sources[by]), st, brief)
	}
	out, source := scenes[by].clone(), *sources[by]
	out.Chance = rand.New(&source)
	return out
}

// text returns the text that a place is in.
func (s *scene) text(p place) *string {
	switch p.part {
	case artifact:
		if s.stage == jsonFile {
			return &s.thread.JSON
		}
		return &s.thread.Artifact
	case export:
		return &s.export
	case configuration:
		return &s.config
	case subject:
		return &s.thread.Messages[p.message].Subject
	default:
		return &s.thread.Messages[p.message].Body
	}
}

// lineOf returns the line of an offset in a text.
func lineOf(text string, offset int) int { return 1 + strings.Count(text[:offset], "\n") }

// files are those of the scene, in order.
func (s *scene) files() (out []txtar.File) {
	add := func(name, data string) { out = append(out, txtar.File{Name: name, Data: []byte(data)}) }
	switch s.stage {
	case file, published:
		add("artifacts/"+s.thread.ID+".md", s.thread.Artifact)
	case jsonFile:
		add("artifacts/"+s.thread.ID+".json", s.thread.JSON)
	}
	if s.stage != file && s.stage != jsonFile {
		add("mail.json", strings.ReplaceAll(cmp.Or(s.export, threadJSON(s.thread)), badByte, "\xe9"))
	}
	if s.stage == pair {
		add("prior.json", threadJSON(s.prior))
	}
	if s.config != "" {
		add(config.FileName, s.config)
	}
	return out
}

// The lines of thread JSON: four before the first message, and of each message.
const (
	linesBefore = 4
	threadLine  = iota + 2
	subjectLine
	ackLine
	_ // the body
	senderLine
	linesEach = 11
)

// threadJSON returns a thread as the server returns it, with the recipients that an
// outbox shows; each member on its own line.
func threadJSON(t *gen.Thread) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{\n  \"project\": %s,\n  \"thread_id\": %s,\n  \"messages\": [\n", quote(t.Project), quote(t.ID))
	for i, m := range t.Messages {
		fmt.Fprintf(&b, "    {\n      \"id\": %d,\n      \"thread_id\": %s,\n      \"subject\": %s,\n      \"ack_required\": %t,\n      \"body_md\": %s,\n",
			m.ID, quote(m.Thread), quote(m.Subject), m.Ack, quote(m.Body))
		fmt.Fprintf(&b, "      \"from\": %s,\n      \"to\": %s,\n      \"cc\": %s,\n      \"created_ts\": %s\n    }", quote(m.From), quote(m.To), quote(m.Cc), quote(stamp(m.Created)))
		if i < len(t.Messages)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("  ]\n}\n")
	return b.String()
}

// draft returns a message as the arguments of send_message, one member a line.
func (s *scene) draft(message int) string {
	m := s.thread.Messages[message]
	return fmt.Sprintf("{\n  \"project_key\": %s,\n  \"sender_name\": %s,\n  \"to\": %s,\n  \"cc\": %s,\n  \"subject\": %s,\n  \"thread_id\": %s,\n  \"ack_required\": %t,\n  \"body_md\": %s\n}\n",
		quote(s.thread.Project), quote(m.From), quote(m.To), quote(m.Cc), quote(m.Subject), quote(m.Thread), m.Ack, quote(m.Body))
}

func quote(v any) string {
	out, err := conformance.ToJSON(v)
	if err != nil {
		panic(err) // strings can be encoded
	}
	return string(out)
}

func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000Z07:00") }

// drop removes a message from the thread.
func (s *scene) drop(message int) {
	s.thread.Messages = slices.Delete(slices.Clone(s.thread.Messages), message, message+1)
}
