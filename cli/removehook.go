package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tailscale/hujson"

	"github.com/brennerlint/brennerlint/internal/files"
)

// errHasNoHook is the error of settings without the hook.
var errHasNoHook = errors.New("the hook is not installed")

// removeHook takes the hook that addHook writes out of the agent's settings.
// Everything else in them stays as it is.
func removeHook(std streams, name string) error {
	s := hookSettings(name)
	shown := filepath.ToSlash(s.path)
	data, err := os.ReadFile(s.path)
	if err == nil {
		data, err = cutHook(data, s)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errHasNoHook):
		fmt.Fprintf(std.out, "%s does not have the hook; not changed\n", shown)
		return nil
	case err != nil:
		return fmt.Errorf("remove the hook from %s: %w; the file is not changed", shown, err)
	case data == nil:
		if err := os.Remove(s.path); err != nil {
			return fmt.Errorf("remove %s: %w", shown, err)
		}
		_ = os.Remove(filepath.Dir(s.path)) // if it is empty now
		fmt.Fprintf(std.out, "removed %s, which had nothing but the hook\n", shown)
		return nil
	}
	if err := new(files.Writer).Write(s.path, data); err != nil {
		return fmt.Errorf("write %s: %w", shown, err)
	}
	fmt.Fprintf(std.out, "removed the hook from %s\n", shown)
	return nil
}

// cutHook takes the hook out of settings; nil if nothing is left of them. It
// refuses hooks that run presend in another way.
func cutHook(data []byte, s hookSetting) ([]byte, error) {
	v, err := parseSettings(data, s.event)
	if err != nil {
		return nil, err
	}
	if !runsPresend(v.hooks) {
		return nil, errHasNoHook
	}
	if at := member(&v.Value, "hooks"); at < 0 || member(v.Find("/hooks"), s.event) < 0 {
		return nil, errDuplicateKey
	}
	list := v.Find("/hooks/" + s.event)
	removed, left := s.cut(list, v.hooks)
	if !removed {
		return nil, errors.New("its hook is not the one that init writes; remove it by hand")
	}
	if i := member(v.Find("/hooks"), s.event); i >= 0 && isEmpty(list) {
		removeValue(v.Find("/hooks"), i)
	}
	if i := member(&v.Value, "hooks"); i >= 0 && isEmpty(v.Find("/hooks")) {
		removeValue(&v.Value, i)
	}
	if after, err := readHooks(v.Value, s.event); err != nil || len(after) != len(left) {
		return nil, errDuplicateKey
	}
	if string(bytes.Join(bytes.Fields(v.Pack()), nil)) == "{}" {
		return nil, nil
	}
	return v.pack(), nil
}

// cut removes the hook from the list of its event, and returns what is left of that.
func (s hookSetting) cut(list *hujson.Value, hooks []matchedHook) (removed bool, left []matchedHook) {
	for i, m := range slices.Backward(hooks) {
		kept := matchedHook{Matcher: m.Matcher}
		commands := list.Find(fmt.Sprintf("/%d/hooks", i))
		if commands == nil || compositeOf(commands).len != len(m.Hooks) {
			left = append(left, m) // a name is written in another way, or twice
			continue
		}
		for j, h := range slices.Backward(m.Hooks) {
			if h.Type != "command" || h.Command != s.hook.Hooks[0].Command || len(h.Args) > 0 {
				kept.Hooks = append(kept.Hooks, h)
				continue
			}
			removed = true
			removeValue(commands, j)
		}
		if len(kept.Hooks) == 0 && len(m.Hooks) > 0 {
			removeValue(list, i)
			continue
		}
		left = append(left, kept)
	}
	return removed, left
}
