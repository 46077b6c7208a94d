package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brennerlint/brennerlint/internal/must"
)

// TestMessageArguments checks that the tool takes what the tools of Agent Mail take, in
// each of the forms in which clients write it, and finds the same.
func TestMessageArguments(t *testing.T) {
	session := inMemory(t)
	const body = `"body_md": "# Information\n\nx", `
	for _, c := range []struct{ name, args, want string }{
		{"send_message", `{"project_key": "/p", "sender_name": "BlueLake", "to": ["RedCreek"], "cc": ["A"], "bcc": [], "subject": "INFO: x", ` + body + `"thread_id": "COORD-nanochat", "importance": "normal", "ack_required": false, "attachment_paths": [], "convert_images": true}`, ""},
		{"one recipient", `{"sender_name": "BlueLake", "to": "RedCreek", "cc": "A", "subject": "INFO: x", ` + body + `"thread_id": "COORD-nanochat"}`, ""},
		{"lists as text", `{"sender_name": "BlueLake", "to": "[\"RedCreek\", \"GreenDog\"]", "cc": "[]", "subject": "INFO: x", ` + body + `"thread_id": "COORD-nanochat"}`, ""},
		{"an empty list as text", `{"sender_name": "BlueLake", "to": "[]", "subject": "INFO: x", ` + body + `"thread_id": "COORD-nanochat"}`, ""},
		{"nulls", `{"sender_name": "BlueLake", "to": ["RedCreek"], "cc": null, "bcc": null, "subject": "INFO: x", ` + body + `"thread_id": "COORD-nanochat", "importance": null, "ack_required": null, "export": null}`, ""},
		{"unknown members", `{"method": "send", "tool_name": "x", "tool_input": {}, "params": [1], "mcp_context": 1, "x": {"y": [{}]}, "sender_name": "BlueLake", "to": ["RedCreek"], "subject": "INFO: x", ` + body + `"thread_id": "COORD-nanochat"}`, ""},
		{"a numeric thread", `{"sender_name": "BlueLake", "to": ["RedCreek"], "subject": "INFO: x", ` + body + `"thread_id": 947}`, ""},
		{"a numeric thread as text", `{"sender_name": "BlueLake", "to": ["RedCreek"], "subject": "INFO: x", ` + body + `"thread_id": "947"}`, ""},
		{"reply_message", `{"project_key": "/p", "message_id": 17, "sender_name": "BlueLake", "body_md": "Seen."}`, ""},
		{"a reply to an id as text", `{"message_id": "17", "sender_name": "BlueLake", "body_md": "Seen.", "to": "RedCreek", "subject_prefix": "Re:"}`, ""},
		{"a reply with nulls", `{"message_id": 17, "sender_name": "BlueLake", "body_md": "Seen.", "subject": null, "to": null, "thread_id": null}`, ""},
		{"a large id", `{"message_id": 12345678901234567890123, "body_md": "Seen."}`, ""},
		// The strict neighbours: what is wrong is found all the same.
		{"no body", `{"sender_name": "BlueLake", "to": "RedCreek", "subject": "INFO: x", "thread_id": "COORD-nanochat"}`, "IN-003"},
		{"a body that is null", `{"subject": "INFO: x", "thread_id": "COORD-nanochat", "body_md": null}`, "IN-003"},
		{"a body that is a number", `{"subject": "INFO: x", "thread_id": "COORD-nanochat", "body_md": 5}`, "IN-003"},
		{"no subject and no id", `{"body_md": "x"}`, "IN-003"},
		{"nothing", `{}`, "IN-003"},
		{"another name of the body", `{"subject": "INFO: x", "thread_id": "COORD-nanochat", "body": "# Information\n\nx"}`, "IN-003"},
		{"a reply with a delta", `{"message_id": "17", "body_md": "` + "```json\\n" + `{\"operation\": \"ADD\", \"section\": \"hypothesis_slate\", \"payload\": {}}` + "\\n```" + `"}`, "DL-013"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, a, failed := callFull(t, session, "check_message", json.RawMessage(c.args))
			var found []string
			for _, f := range a.Findings {
				found = append(found, f.Rule)
			}
			if c.want == "" && len(found) > 0 || c.want != "" && !slices.Contains(found, c.want) || failed {
				t.Errorf("found %s, want %q:\n%s", found, c.want, text)
			}
			if a.Schema != "brennerlint/report/v1" || a.Version != testOptions.Version || a.Summary.Valid != (a.Summary.Errors == 0) {
				t.Errorf("the report is %+v", a)
			}
		})
	}
}

// TestRecipients checks that a list that a client wrote as text is that list, and no other
// text is.
func TestRecipients(t *testing.T) {
	for text, want := range map[string]string{
		`["a","b"]`: `["a","b"]`, `[ "a" ]`: `[ "a" ]`, `[]`: `[]`,
		`a`: `"a"`, `["a"`: `"[\"a\""`, `[1]`: `"[1]"`, `null`: `"null"`, `{"a":1}`: `"{\"a\":1}"`,
	} {
		for name, want := range map[string]string{"to": want, "cc": want, "bcc": want, "subject": ""} {
			raw, err := json.Marshal(map[string]string{name: text})
			must.OK(t, err)
			if want == "" { // only recipients are lists
				_, value, _ := strings.Cut(string(raw), ":")
				want = strings.TrimSuffix(value, "}")
			}
			d, err := readDraft(raw)
			if err != nil || strings.ReplaceAll(string(d.data), " ", "") != `{"`+name+`":`+strings.ReplaceAll(want, " ", "")+`}` {
				t.Errorf("%s is read as %s, %v", raw, d.data, err)
			}
		}
	}
}

// TestLeft checks that what is left of a draft is counted as presend --thread does, and that a
// fix which is not applied says so.
func TestLeft(t *testing.T) {
	t.Chdir("../..")
	session := inMemory(t)
	body := func(delta string) string { return "# Delta\n\n**Base Version**: v1\n\n```delta\n" + delta + "\n```\n" }
	args := map[string]any{"sender_name": "BlueLake", "to": "RedCreek", "subject": "DELTA[gpt]: kill", "thread_id": thread, "export": filepath.Join(examples, "mail")}
	args["body_md"] = body(`{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H9", "payload": {"reason": "r"}, "rationale": "r",}`)
	text, _, _ := callFull(t, session, "check_message", args)
	if !strings.Contains(text, "1 fix applied; 1 error is left") {
		t.Errorf("H9 is not there, and the answer is:\n%s", text)
	}
	args["body_md"] = body(`{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H1", "payload": {}, "rationale": "r"}`)
	text, a, _ := callFull(t, session, "check_message", args)
	if a.Repaired != nil || !strings.Contains(text, "(not applied: it may change the meaning)") {
		t.Errorf("only an unsafe fix is there, and the answer is:\n%s", text)
	}
}

// TestPlaces checks that places are in the decoded text of the draft's members, and that fixes
// fit these texts.
func TestPlaces(t *testing.T) {
	session := inMemory(t)
	body := "# Delta\n\nÄ \"quoted\" \U0001f600\n\n```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H9\", \"payload\": {\"reason\": \"ü\"}, \"rationale\": \"r\",}\n```\n"
	text, a, _ := callFull(t, session, "check_message", map[string]any{
		"subject": "DELTA[\u00e9]: x", "body_md": body, "thread_id": "RS-20251230-not-there", "to": []string{"A"}, "ack_required": "yes",
	})
	places := map[string]string{}
	for _, f := range a.Findings {
		places[f.Rule] = f.Path
		if f.Rule != "MB-005" {
			continue
		}
		places[f.Rule] += ":" + body[f.Range.Start.Offset:f.Range.End.Offset]
		if f.Range.Start.Line != 6 || f.Range.Start.Column != 117 || f.Fix == nil {
			t.Errorf("MB-005 is at %+v", f)
			continue
		}
		for _, e := range f.Fix.Edits {
			body = body[:e.Range.Start.Offset] + e.Text + body[e.Range.End.Offset:]
		}
	}
	if places["MB-001"] != "subject" || places["MB-005"] != "body_md:," || places["TH-005"] != "thread_id" {
		t.Errorf("the places are %v", places)
	}
	if !strings.Contains(body, `"rationale": "r"}`) {
		t.Errorf("the fix makes %s", body)
	}
	for _, want := range []string{"subject:1:7: ", "body_md:6:117: "} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "draft:") || strings.Contains(text, "-:1:") {
		t.Errorf("the text names places of the JSON:\n%s", text)
	}
}

// TestRepairedDraft checks that only fixes change the draft, and that the repaired draft is
// checked with the export.
func TestRepairedDraft(t *testing.T) {
	t.Chdir("../..")
	session := inMemory(t)
	args := map[string]any{
		"project_key": "/p", "sender_name": "BlueLake", "to": "RedCreek", "subject": "DELTA[gpt]: kill", "thread_id": thread, "ack_required": nil, "x": "kept",
		"body_md": "# Delta\n\n**Base Version**: v1\n\n```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H1\", \"payload\": {\"reason\": \"r\"}, \"rationale\": \"r\",}\n```\n",
		"export":  filepath.Join(examples, "mail"),
	}
	text, a, _ := callFull(t, session, "check_message", args)
	if a.Summary.Errors != 1 || !strings.Contains(text, "repaired_draft in the structured content has 1 fix applied; 0 errors are left") {
		t.Errorf("%d errors:\n%s", a.Summary.Errors, text)
	}
	again := a.Repaired
	if again["x"] != "kept" || again["to"] != "RedCreek" || again["export"] != nil || strings.Contains(again["body_md"].(string), ",}") {
		t.Errorf("the repaired draft is %v", again)
	}
	again["export"] = args["export"]
	text, a, _ = callFull(t, session, "check_message", again)
	if a.Summary.Errors != 0 || a.Repaired != nil || !slices.Equal(a.Preview, []string{"delta 1: kills H1"}) {
		t.Errorf("the repaired draft has %d errors, preview %q:\n%s", a.Summary.Errors, a.Preview, text)
	}
}

// TestResources checks that each rule has a page, listed and found by id, name and
// template.
func TestResources(t *testing.T) {
	session := inMemory(t)
	n := 0
	for r, err := range session.Resources(t.Context(), nil) {
		must.OK(t, err)
		n++
		got, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		must.OK(t, err)
		if c := got.Contents[0]; c.URI != r.URI || c.MIMEType != "text/markdown" || !strings.HasPrefix(c.Text, "# "+r.Title+"\n") || !strings.Contains(c.Text, "## Reported") {
			t.Errorf("%s is %.200q", r.URI, c.Text)
		}
	}
	if n != len(testOptions.Rules) {
		t.Errorf("%d resources for %d rules", n, len(testOptions.Rules))
	}
	if got, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: rulesURI + "subject-prefix"}); err != nil || !strings.Contains(got.Contents[0].Text, "# MB-001") {
		t.Errorf("a rule by its name is %v, %v", got, err)
	}
	if got, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: rulesURI + "INVALID_TARGET"}); err != nil || len(got.Contents) != 2 {
		t.Errorf("a code of two rules is %v, %v", got, err)
	}
	for _, uri := range []string{rulesURI + "MB", rulesURI + "XX-999", rulesURI, rulesURI + "../go.mod", "file:///etc/hosts"} {
		if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s is read", uri)
		}
	}
}

// TestPrompts checks what the prompts show.
func TestPrompts(t *testing.T) {
	t.Chdir("../..")
	session := inMemory(t)
	mail := filepath.Join(examples, "mail")
	draft := `{"subject": "DELTA[gpt]: kill", "thread_id": "` + thread + `", "body_md": "# Delta\n\n` + "```delta" + `\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H9\", \"payload\": {\"reason\": \"r\"}, \"rationale\": \"r\",}\n` + "```" + `\n"}`
	for _, c := range []struct {
		name string
		args map[string]string
		want []string
		fail string
	}{
		{name: "repair_draft", args: map[string]string{"draft": draft}, want: []string{draft, "MB-005", "The draft with fixes applied"}},
		{name: "repair_draft", args: map[string]string{"draft": draft, "export": mail}, want: []string{"MB-005"}},
		{name: "repair_draft", args: map[string]string{"draft": "{}", "export": mail}, want: []string{"IN-003"}},
		{name: "repair_draft", args: map[string]string{"draft": draft, "export": "../x"}, fail: "x"},
		{name: "repair_draft", args: map[string]string{"draft": "nonsense"}, fail: "read arguments"},
		{name: "repair_draft", args: map[string]string{"draft": "nonsense", "export": mail}, fail: "read arguments"},
		{name: "repair_draft", fail: "no draft"},
		{name: "compile_thread", args: map[string]string{"export": mail, "thread_id": thread}, want: []string{"is not ready to be published", "nothing to compile"}},
		{name: "compile_thread", args: map[string]string{"export": mail, "thread_id": "RS-nothing"}, fail: "RS-nothing"},
		{name: "compile_thread", args: map[string]string{"export": mail}, fail: "no thread_id"},
		{name: "compile_thread", args: map[string]string{"thread_id": thread}, fail: "no export"},
	} {
		got, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: c.name, Arguments: c.args})
		if err != nil || c.fail != "" {
			if err == nil || c.fail == "" || !strings.Contains(err.Error(), c.fail) {
				t.Errorf("%s %v: the error is %v, want %q", c.name, c.args, err, c.fail)
			}
			continue
		}
		text := got.Messages[0].Content.(*mcp.TextContent).Text
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s %v lacks %q:\n%s", c.name, c.args, want, text)
			}
		}
	}
}

// serverHere connects a client to a server in a folder.
func serverHere(t *testing.T, dir string) *mcp.ClientSession {
	t.Helper()
	t.Chdir(dir)
	return inMemory(t)
}

const oneMessage = `{"thread_id": "RS-20251230-cell-fate", "messages": [{"id": 1, "from": "A", "to": ["B"], "created": "2025-12-30T10:00:00Z", "ack_required": true, "subject": "KICKOFF: x", "body_md": "SECRET"}]}`

// folders makes a working folder with mail beside a folder with other mail.
func folders(t *testing.T) (dir string) {
	t.Helper()
	top := t.TempDir()
	for name, text := range map[string]string{"work/mail.json": oneMessage, "work/in/mail.json": oneMessage, "work/-": oneMessage, "outside/mail.json": oneMessage} {
		must.Write(t, filepath.Join(top, filepath.FromSlash(name)), text)
	}
	dir = filepath.Join(top, "work")
	for link, to := range map[string]string{"out": "../outside", "out.json": "../outside/mail.json", "up": "..", "inside.json": "in/mail.json", "loop": "loop"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	return dir
}

// TestExportPaths checks which paths the tools read: those below the working folder, wherever
// links lead. They write nothing.
func TestExportPaths(t *testing.T) {
	dir := folders(t)
	before := snapshot(t, filepath.Dir(dir))
	session := serverHere(t, dir)
	const outside = "in the server's working folder"
	for path, want := range map[string]string{
		"mail.json":                              "",
		"in":                                     "",
		".":                                      "",
		"./in/../mail.json":                      "",
		"inside.json":                            "",
		"-":                                      "",
		filepath.Join(dir, "mail.json"):          "",
		"../outside/mail.json":                   outside,
		"..":                                     outside,
		"/":                                      outside,
		filepath.Join(dir, "../outside"):         outside,
		"out":                                    outside,
		"out/mail.json":                          outside,
		"out.json":                               outside,
		"up/outside/mail.json":                   outside,
		"in/../../outside/mail.json":             outside,
		"../outside/nothing.json":                outside,
		"/nothing/mail.json":                     outside,
		"out/nothing.json":                       outside,
		"out/mail.json/x":                        outside,
		"*.json":                                 outside,
		"loop":                                   outside,
		"nothing.json":                           outside,
		"mail.json/x":                            outside,
		"/dev/null":                              outside,
		filepath.Join(dir, "missing", "x\x00.j"): outside,
	} {
		text, failed := call(t, session, "replay_thread", map[string]any{"export": path})
		switch {
		case want == "" && (failed || !strings.Contains(text, thread)):
			t.Errorf("%q is not read: %s", path, text)
		case want != "" && (!failed || !strings.Contains(text, want) || strings.Contains(text, thread)):
			t.Errorf("%q is answered with failed %t and %q, want %q", path, failed, text, want)
		}
		file := path
		if want == "" {
			file = filepath.Join(path, "artifact.md")
		}
		if text, failed := call(t, session, "check_artifact", map[string]any{"path": file}); !failed || !strings.Contains(text, want) {
			t.Errorf("check_artifact with %q is answered with failed %t and %q", file, failed, text)
		}
		draft := map[string]any{"subject": "INFO: x", "body_md": "# Information\n\nx", "thread_id": thread, "export": path}
		if text, failed := call(t, session, "check_message", draft); failed != (want != "") {
			t.Errorf("check_message with %q is answered with failed %t and %q", path, failed, text)
		}
	}
	if after := snapshot(t, filepath.Dir(dir)); !slices.Equal(after, before) {
		t.Errorf("the tools write: before\n%s\nafter\n%s", before, after)
	}
}

// snapshot lists the files of a folder with what shows that one was changed.
func snapshot(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files = append(files, fmt.Sprint(path, info.Mode(), info.Size(), info.ModTime()))
		}
		return err
	})
	must.OK(t, err)
	return files
}
