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

// agent is one agent of a project. Names are unique per project only. What is exported is for
// the templates.
type agent struct {
	id                         int
	Name, Program, Model, Role string
	task                       string
}

// models are what agents run, with the tag of their DELTA mails.
var models = []agent{
	{Program: "claude-code", Model: "opus-4.5", Role: "opus", task: "Hypothesis generator"},
	{Program: "codex-cli", Model: "gpt-5.2", Role: "gpt", task: "Test designer"},
	{Program: "gemini-cli", Model: "gemini-3", Role: "gemini", task: "Adversarial critic"},
}

var projects = makeProjects(
	project{slug: "data-projects-embryo-lab", key: "/data/projects/embryo_lab"},
	project{slug: "data-projects-synapse-notes", key: "/data/projects/synapse_notes"},
	project{slug: "data-projects-phage-room", key: "/data/projects/phage_room"},
)

func makeProjects(all ...project) []project {
	colours := []string{"Blue", "Green", "Red", "Purple", "Amber", "White"}
	things := []string{"Lake", "Castle", "Snow", "Dog", "Harbor", "Mountain"}
	id := 0
	for i := range all {
		id++
		p := &all[i]
		p.id = i + 1
		p.operator = &agent{id: id, Name: "Operator", Program: "brenner-cli", Model: "orchestrator", task: "Session operator"}
		for j := range 9 {
			id++
			a := models[j%len(models)]
			a.id, a.Name = id, colours[(i+j)%len(colours)]+things[(j+2*i+j/len(colours))%len(things)]
			p.agents = append(p.agents, &a)
		}
	}
	return all
}

// team are three agents of the project, one of each model.
func (p *project) team(c Chance) []*agent {
	var out []*agent
	for i := range models {
		out = append(out, p.agents[i+len(models)*c.IntN(len(p.agents)/len(models))])
	}
	slices.SortFunc(out, func(a, b *agent) int { return a.id - b.id })
	return out
}

// everybody lists the agents of a project.
func (p *project) everybody() []*agent { return append([]*agent{p.operator}, p.agents...) }

// agentID returns the id of the agent of a name.
func (p *project) agentID(name string) int {
	all := p.everybody()
	return all[slices.IndexFunc(all, func(a *agent) bool { return a.Name == name })].id
}

func names(agents []*agent) (out []string) {
	for _, a := range agents {
		out = append(out, a.Name)
	}
	return out
}
