package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// Frame is what an expression runs in: the values of its variables, and what it may
// still cost. One frame serves many runs, one after the other.
type Frame struct {
	// First and Second are the values of the variables, in the order of the struct. The
	// library's machine finds them by their places: they are the first fields here, too.
	First, Second any
	// Data is for the fields and functions of the language.
	Data any

	steps, left int
	room        int // bytes of texts and lists that may still be made
	vm          vm.VM
}

// Failure is why the run of an expression was given up.
type Failure struct {
	// Limit reports that it took more steps than it may; else it cannot be computed.
	Limit  bool
	Reason string
}

// Error returns the reason.
func (f *Failure) Error() string { return f.Reason }

var errLimit = errors.New("too many steps")

// Charge counts steps: about what a comparison takes. It ends a run that has none left.
func (f *Frame) Charge(steps int) {
	if steps < 0 || steps > f.left {
		f.left = 0
		panic(errLimit)
	}
	f.left -= steps
}

// ChargeText charges for looking at so many bytes.
func (f *Frame) ChargeText(bytes int) { f.Charge(1 + bytes/bytesPerStep) }

// bytesPerStep is how many bytes of a text are looked at, or copied, in a step.
const bytesPerStep = 16

// ChargeMade charges for making a text of so many bytes.
func (f *Frame) ChargeMade(bytes int) {
	f.ChargeText(bytes)
	if f.room -= bytes; f.room < 0 {
		panic(errLimit)
	}
}

// ChargeList charges for making a list of so many elements.
func (f *Frame) ChargeList(elements int) {
	f.Charge(1 + elements)
	if f.room -= elements * bytesPerElement; f.room < 0 {
		panic(errLimit)
	}
}

// bytesPerElement is about what an element of a list takes, with the text that it is.
const bytesPerElement = 32

// The limits on memory: bytes of texts and lists that are made, which grow with the steps, and
// elements of lists.
const (
	baseRoom     = 16 << 20
	stepsPerRoom = 25
	maxElements  = 4 << 20
	maxSteps     = 1 << 30
)

// Begin says how many steps the next runs may take together.
func (f *Frame) Begin(steps int) {
	if steps < 0 || steps > maxSteps {
		steps = maxSteps
	}
	f.steps, f.left, f.room = steps, steps, baseRoom+steps/stepsPerRoom
}

// Run runs a program. The same program on the same values takes the same steps every
// time.
func (f *Frame) Run(p *Program) (any, error) {
	f.vm.MemoryBudget = uint(min(max(1, f.left), maxElements)) + 1 // elements of lists
	v, err := f.vm.Run(p.program, f)
	if err == nil {
		return v, nil
	}
	if errors.Is(err, errLimit) || strings.Contains(err.Error(), "memory budget exceeded") {
		return nil, &Failure{Limit: true, Reason: fmt.Sprintf("it takes more than %d steps", f.steps)}
	}
	reason := err.Error()
	if e, ok := errors.AsType[*file.Error](err); ok {
		reason = e.Message
	}
	return nil, &Failure{Reason: "it cannot be evaluated: " + reason}
}
