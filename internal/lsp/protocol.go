package lsp

import (
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"
)

// The types of the Language Server Protocol 3.17 that the server uses, with the members that
// it reads or writes.

// Errors of the protocol that JSON-RPC does not have.
const (
	codeNotInitialized = -32002
	codeRequestFailed  = -32803
	codeCancelled      = -32800
)

func failure(code int64, message string) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: code, Message: message}
}

type initializeParams struct {
	RootURI          *string      `json:"rootUri"`
	WorkspaceFolders []document   `json:"workspaceFolders"`
	Capabilities     capabilities `json:"capabilities"`
}

// capabilities are what a client can do.
type capabilities struct {
	General struct {
		PositionEncodings []encoding `json:"positionEncodings"`
	} `json:"general"`
	TextDocument struct {
		Diagnostic *json.RawMessage `json:"diagnostic"`
		CodeAction struct {
			DisabledSupport bool `json:"disabledSupport"` // it shows actions that cannot be made, with the reason
		} `json:"codeAction"`
		Hover struct {
			ContentFormat []string `json:"contentFormat"`
		} `json:"hover"`
		Rename struct {
			PrepareSupport bool `json:"prepareSupport"` // it asks first what can be renamed
		} `json:"rename"`
		PublishDiagnostics struct {
			RelatedInformation     bool `json:"relatedInformation"`
			CodeDescriptionSupport bool `json:"codeDescriptionSupport"`
			DataSupport            bool `json:"dataSupport"`
			TagSupport             struct {
				ValueSet []int `json:"valueSet"`
			} `json:"tagSupport"`
		} `json:"publishDiagnostics"`
	} `json:"textDocument"`
	Workspace struct {
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		Diagnostics struct {
			RefreshSupport bool `json:"refreshSupport"` // it requests diagnostics again when asked to
		} `json:"diagnostics"`
	} `json:"workspace"`
}

// document names a document, or a workspace folder. Not all clients give versions.
type document struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

type foldersParams struct {
	Event struct {
		Added   []document `json:"added"`
		Removed []document `json:"removed"`
	} `json:"event"`
}

// filesParams are files that changed.
type filesParams struct {
	Changes []document `json:"changes"`
}

type cancelParams struct {
	ID jsonrpc2.ID `json:"id"`
}

type didOpenParams struct {
	TextDocument struct {
		document
		Text string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	documentParams
	ContentChanges []contentChange `json:"contentChanges"`
}

// contentChange replaces a range, or the whole text where there is none.
type contentChange struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// documentParams are those of a request about a document.
type documentParams struct {
	TextDocument document `json:"textDocument"`
}

// positionParams are those of a request about a place in a document.
type positionParams struct {
	documentParams
	Position Position `json:"position"`
}

// Location is a part of a document.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

type textEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// Diagnostic is a finding as an editor shows it.
type Diagnostic struct {
	Range              Range             `json:"range"`
	Severity           int               `json:"severity"`
	Code               string            `json:"code,omitempty"`
	CodeDescription    map[string]string `json:"codeDescription,omitempty"` // href: of the page
	Source             string            `json:"source"`
	Message            string            `json:"message"`
	Tags               []int             `json:"tags,omitempty"`
	RelatedInformation []relatedInfo     `json:"relatedInformation,omitempty"`
	Data               *diagnosticData   `json:"data,omitempty"`
}

type relatedInfo struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// diagnosticData is for agents that read diagnostics.
type diagnosticData struct {
	Fingerprint string `json:"fingerprint"`
	Name        string `json:"name"`
	Fix         string `json:"fix,omitempty"` // safe or unsafe
	Suggestion  string `json:"suggestion,omitempty"`
}

// The values of Diagnostic.Severity and Diagnostic.Tags.
const (
	errorSeverity   = 1
	warningSeverity = 2
	infoSeverity    = 3

	unnecessaryTag = 1
)

type publishParams struct {
	URI         string        `json:"uri"`
	Version     *int          `json:"version,omitempty"`
	Diagnostics []*Diagnostic `json:"diagnostics"`
}

type pullParams struct {
	documentParams
	PreviousResultID string `json:"previousResultId"`
}

// pullResult is the answer to textDocument/diagnostic: full with items, or unchanged.
type pullResult struct {
	Kind     string        `json:"kind"`
	ResultID string        `json:"resultId,omitempty"`
	Items    []*Diagnostic `json:"items,omitzero"`
}
