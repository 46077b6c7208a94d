package gen

import "slices"

// project is one project of the mail server.
type project struct {
	id       int
	slug     string
	key      string // the path it stands for
	operator *agent
	agents   []*agent // without the operator
}

// agent is one agent of a project. Names are unique per project only.
type agent struct {
	id                         int
	name, program, model, role string
	task                       string
}

// models are what agents run, with the tag of their DELTA mails.
var models = []agent{
	{program: "claude-code", model: "opus-4.5", role: "opus", task: "Hypothesis generator"},
	{program: "codex-cli", model: "gpt-5.2", role: "gpt", task: "Test designer"},
	{program: "gemini-cli", model: "gemini-3", role: "gemini", task: "Adversarial critic"},
}

var projects = makeProjects(
	[2]string{"data-projects-embryo-lab", "/data/projects/embryo_lab"},
	[2]string{"data-projects-synapse-notes", "/data/projects/synapse_notes"},
	[2]string{"data-projects-phage-room", "/data/projects/phage_room"},
)

func makeProjects(named ...[2]string) []project {
	colours := []string{"Blue", "Green", "Red", "Purple", "Amber", "White"}
	things := []string{"Lake", "Castle", "Snow", "Dog", "Harbor", "Mountain"}
	var out []project
	id := 0
	for i, n := range named {
		id++
		p := project{id: i + 1, slug: n[0], key: n[1], operator: &agent{id: id, name: "Operator", program: "brenner-cli", model: "orchestrator", task: "Session operator"}}
		for j := range 9 {
			id++
			a := models[j%len(models)]
			a.id, a.name = id, colours[(i+j)%len(colours)]+things[(j+2*i+j/len(colours))%len(things)]
			p.agents = append(p.agents, &a)
		}
		out = append(out, p)
	}
	return out
}

// team are three agents of the project, one of each model.
func (p *project) team(m *maker) []*agent {
	var out []*agent
	for i := range models {
		out = append(out, p.agents[i+len(models)*m.IntN(len(p.agents)/len(models))])
	}
	slices.SortFunc(out, func(a, b *agent) int { return a.id - b.id })
	return out
}

// everybody lists the agents of a project.
func (p *project) everybody() []*agent { return append([]*agent{p.operator}, p.agents...) }

// agentID returns the id of the agent of a name.
func (p *project) agentID(name string) int {
	all := p.everybody()
	return all[slices.IndexFunc(all, func(a *agent) bool { return a.name == name })].id
}
