package lsp

import (
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"
)

// The types of the Language Server Protocol 3.17 that the server uses, with the members that
// it reads or writes.

// Errors of the protocol that JSON-RPC does not have.
const (
	codeNotInitialized  = -32002
	codeRequestFailed   = -32803
	codeServerCancelled = -32802
	codeCancelled       = -32800
)

func failure(code int64, message string) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: code, Message: message}
}

type initializeParams struct {
	ProcessID        *int              `json:"processId"`
	RootURI          *string           `json:"rootUri"`
	WorkspaceFolders []workspaceFolder `json:"workspaceFolders"`
	Capabilities     capabilities      `json:"capabilities"`
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

type workspaceFolder struct {
	URI string `json:"uri"`
}

type foldersParams struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}

// filesParams are files that changed.
type filesParams struct {
	Changes []fileEvent `json:"changes"`
}

type fileEvent struct {
	URI string `json:"uri"`
}

type cancelParams struct {
	ID jsonrpc2.ID `json:"id"`
}

type textDocument struct {
	URI string `json:"uri"`
}

type versionedDocument struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

type didOpenParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument   versionedDocument `json:"textDocument"`
	ContentChanges []contentChange   `json:"contentChanges"`
}

// contentChange replaces a range, or the whole text where there is none.
type contentChange struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// documentParams are those of a request about a document.
type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

// positionParams are those of a request about a place in a document.
type positionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Position     Position     `json:"position"`
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
	Range              Range            `json:"range"`
	Severity           int              `json:"severity"`
	Code               string           `json:"code,omitempty"`
	CodeDescription    *codeDescription `json:"codeDescription,omitempty"`
	Source             string           `json:"source"`
	Message            string           `json:"message"`
	Tags               []int            `json:"tags,omitempty"`
	RelatedInformation []relatedInfo    `json:"relatedInformation,omitempty"`
	Data               *diagnosticData  `json:"data,omitempty"`
}

type codeDescription struct {
	Href string `json:"href"`
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
	TextDocument     textDocument `json:"textDocument"`
	PreviousResultID string       `json:"previousResultId"`
}

// pullResult is the answer to textDocument/diagnostic: full with items, or unchanged.
type pullResult struct {
	Kind     string         `json:"kind"`
	ResultID string         `json:"resultId,omitempty"`
	Items    *[]*Diagnostic `json:"items,omitempty"`
}
