package gen

// topic is what a session is about.
type topic struct {
	slug      string // one or two words of the thread id
	title     string
	question  string
	context   string
	why       string
	unit      string   // what decides
	outcome   string   // what it decides
	signal    string   // what it may read
	readout   string   // what is measured
	number    string   // a calculation for the scale check
	perturbed []string // conditions, each a noun phrase
}

var topics = []topic{
	{
		slug: "cell-fate", title: "Cell fate coordinates",
		question: "How does the early embryo decide cell fate: by tracking ancestry or by reading position?",
		context:  "The lineage of the worm is invariant, yet some fates move with the cell's position when it is transplanted. Brenner put the choice as the European plan against the American plan (§161).",
		why:      "The coordinate system decides which perturbations are informative; with the wrong one every transplant is read in the wrong frame.",
		unit:     "blastomere", outcome: "fate", signal: "Wnt gradient", readout: "lineage-specific reporter expression",
		number:    "D ≈ 10 µm²/s and an embryo of 50 µm give τ = L²/D ≈ 250 s, against a cell cycle of 15 to 30 min",
		perturbed: []string{"Early transplant at the 4-cell stage", "Late transplant at gastrulation", "Laser ablation of the signalling neighbours", "Block of division with hydroxyurea", "Removal of the morphogen source"},
	},
	{
		slug: "vesicle-pool", title: "Vesicle depletion and frequency",
		question: "Is short-term depression at this synapse set by depletion of the ready pool or by the firing frequency itself?",
		context:  "Depression recovers with two time constants, and only one of them changes with temperature. A single pool cannot give both, but a single sensor might (§127).",
		why:      "Models of attention borrow the depletion picture; if frequency is sensed directly, the borrowed penalty is the wrong one.",
		unit:     "release site", outcome: "release probability", signal: "residual calcium", readout: "quantal content per stimulus",
		number:    "A pool of 8 vesicles refilled at 2 per s is empty after 0.5 s at 20 Hz; the observed decay takes 0.4 s",
		perturbed: []string{"Paired pulses 20 ms apart", "A train of 100 Hz for one second", "Chelation of calcium with EGTA", "Cooling by ten degrees", "Recovery after two seconds of silence"},
	},
	{
		slug: "phage-switch", title: "The lysis switch",
		question: "What does a temperate phage count before it chooses lysogeny: infecting particles or the size of its host?",
		context:  "Cells infected by several particles choose lysogeny more often, but large cells dilute every particle. The two were confounded in all bulk experiments (§42).",
		why:      "A switch that reads concentration and a switch that counts particles fail in opposite directions under stress.",
		unit:     "infected cell", outcome: "choice of lysogeny", signal: "CII concentration", readout: "fraction of lysogens by single-cell imaging",
		number:    "One particle in 1 µm³ is 1.7 nM; doubling the volume halves it, a change well inside the measured 2.1-fold threshold",
		perturbed: []string{"Infection with three particles per cell", "Elongated hosts after mild septation block", "Starved hosts", "A delayed second infection", "Removal of the protease"},
	},
	{
		slug: "message-decay", title: "Decay of unstable messages",
		question: "Is the half-life of an early message written in its own sequence or imposed by the ribosomes that read it?",
		context:  "Sequence elements in the tail predict half of the variance of half-lives; codon usage predicts much of the other half (§99).",
		why:      "If translation imposes the half-life, every reporter with a foreign coding region measured the wrong thing.",
		unit:     "transcript", outcome: "half-life", signal: "ribosome stalling", readout: "residual message level",
		number:    "40 ribosomes per message at 5 codons per s read 300 codons in 60 s, so a 10 min half-life sees 400 passages",
		perturbed: []string{"Block of initiation", "Block of elongation", "Exchange of the tail", "Recoding with rare codons", "Heat shock at 42 °C"},
	},
	{
		slug: "map-formation", title: "Formation of the retinal map",
		question: "Do retinal axons find their targets by matching labels or by competing for space?",
		context:  "Half a retina first fills the matching half of the tectum and later spreads over all of it. Labels explain the first day, competition the tenth (§103).",
		why:      "Both accounts fit the final map; only its history tells them apart.",
		unit:     "axon arbour", outcome: "position", signal: "ephrin gradient", readout: "centre of the terminal arbour by two-photon imaging",
		number:    "A gradient falling e-fold in 200 µm differs by 5 % across a growth cone of 10 µm, about 50 of 1000 receptors",
		perturbed: []string{"Removal of half the retina", "Expansion into an ablated tectum", "Activity blocked by tetrodotoxin", "Rotation of the tectum", "A uniform level of the label"},
	},
	{
		slug: "forgetting-curve", title: "Forgetting in trained networks",
		question: "Does a network forget a task because its weights are overwritten or because its readout drifts?",
		context:  "Old tasks come back after a few gradient steps, far fewer than learning took. That looks like a lost readout and not like lost weights (§205).",
		why:      "Penalties on weights are expensive; if only the readout drifts they protect what was never in danger.",
		unit:     "hidden layer", outcome: "accuracy on the first task", signal: "gradient norm", readout: "linear probe accuracy on frozen features",
		number:    "A probe of 512 × 10 weights needs about 5000 examples; recovery is seen with 320, too few to relearn features",
		perturbed: []string{"Readout retrained on frozen features", "Interleaved replay of 5 % old data", "A second task with shared labels", "Weight decay raised tenfold", "Layers reset from the top"},
	},
	{
		slug: "clock-drift", title: "Temperature and the body clock",
		question: "Is the clock's period held against temperature by opposed reactions or by one insensitive step?",
		context:  "The period changes by less than a tenth over ten degrees, while every enzyme in the loop doubles its rate (§58).",
		why:      "Opposed reactions can be unbalanced by one mutation; an insensitive step cannot.",
		unit:     "oscillating cell", outcome: "period", signal: "phosphorylation rate", readout: "luminescence rhythm of single cells",
		number:    "Two rates with Q10 of 2.0 in ratio leave a Q10 of 1.0; an error of 5 % in one leaves 1.05, the measured bound",
		perturbed: []string{"A step from 20 to 30 °C", "Partial inhibition of the kinase", "A short-period mutant", "Constant light", "Halved gene dose"},
	},
	{
		slug: "wound-signal", title: "The first signal of a wound",
		question: "What tells distant cells of a wound: a diffusing substance or the fall of tension?",
		context:  "A calcium wave passes ten cell rows in a minute, faster than any peptide could diffuse but slower than sound in tissue (§212).",
		why:      "The answer decides whether a dressing should hold fluid or hold tension.",
		unit:     "epithelial cell", outcome: "entry into migration", signal: "extracellular ATP", readout: "calcium wave front by live imaging",
		number:    "D ≈ 300 µm²/s over 150 µm gives τ ≈ 75 s for ATP; a wave of 60 s is within a factor of two",
		perturbed: []string{"Apyrase in the medium", "A pre-stretched sheet", "A cut without cell death", "Gap junctions blocked", "Flow along the wound edge"},
	},
}

// mechanism is a hypothesis about any topic. In its texts {unit}, {outcome},
// {signal} and {readout} stand for the topic's.
type mechanism struct{ name, claim, how string }

var mechanisms = []mechanism{
	{"Inherited record", "The {outcome} of a {unit} is fixed by its history and not by its surroundings.", "Each {unit} carries a state that changes at fixed steps; the {signal} is read too late to matter, so that \"you are what you are because this is the way you got there\"."},
	{"Local reading", "A {unit} computes its {outcome} from the {signal} it finds around it.", "Occupied receptors are averaged over minutes; the average crosses a threshold and the {outcome} follows. Move the {unit} and the answer moves with the place."},
	{"Threshold counter", "A {unit} changes its {outcome} once a counted quantity passes a fixed number.", "Events are added up by a slow chemical store. The {signal} only sets how fast the store fills; the number itself is the same in all conditions."},
	{"Neighbour vote", "The {outcome} of a {unit} is decided by what the majority of its neighbours has decided.", "Contacts carry an inhibitory signal. Small early differences grow until one state wins locally, whatever the global {signal} says."},
	{"Mechanical gate", "Tension and not chemistry opens the way to a new {outcome}.", "Stretch exposes a binding site in the cortex; the {signal} is a consequence of the shape change and not its cause."},
	{"Metabolic clock", "The {outcome} of a {unit} follows the time since its last division or reset.", "A metabolite is used up at a constant rate. Its level is a clock that every {unit} reads; the {signal} shifts the phase but not the rate."},
	{"Feedback lock", "A {unit} holds its {outcome} by feedback after a short sensitive window.", "The first seconds of {signal} start a loop that keeps itself going. After that the loop ignores its input until it is reset."},
	{"Resource limit", "The {outcome} is set by a shared resource for which every {unit} competes.", "The resource is made at a fixed rate and taken by whoever is first. The {signal} changes demand; supply decides."},
	{"Stochastic commitment", "Each {unit} chooses its {outcome} at random, and the population is sorted afterwards.", "Bursts of expression make the choice; the {signal} removes or moves the wrong choices later, which looks like instruction in every average."},
	{"Chromatin memory", "Marks on the chromatin keep the {outcome} through divisions, whatever the {signal} does.", "Marks are copied at each division with an error of about one in fifty, which gives a decay that neither history nor position predicts."},
}

var thirdAlternatives = []mechanism{
	{"The dichotomy is false", "Both readings are wrong: the {unit} uses neither, and the {readout} makes it look like a choice between two.", "The {readout} samples one moment of a slow process. Depending on the moment either account fits; a context-dependent switch would give both. \"Both could be wrong\"."},
	{"Two processes, one readout", "Two independent processes end in the same {readout}, so that no single account of the {outcome} can hold.", "One process acts early and is cheap, the other acts late and is costly. Perturbing one shifts the weight to the other within an hour."},
	{"An artefact of preparation", "What we call the {outcome} is made by the preparation and hardly exists in the undisturbed system.", "Handling raises the {signal} several-fold in every {unit}. The effect we argue about is the response to handling."},
}

// test is an experiment on any topic; {a} and {b} are hypothesis ids.
type testPlan struct{ name, procedure, feasibility string }

var testPlans = []testPlan{
	{"Staged displacement assay", "Displace single {unit}s at four stages to a place where {a} and {b} disagree. Score the {readout} blind, with 40 {unit}s per stage and a second scorer for every tenth.", "Needs micromanipulation; the toothpick method (§153) is enough for most of it. Two weeks."},
	{"Clamped signal with live readout", "Hold the {signal} at three fixed levels and follow the {readout} for six hours. Compare the onset with the onset in the unclamped control of the same day.", "The clamp exists and has been calibrated; one rig, four days a series."},
	{"Graded block and release", "Block the pathway by a quarter, a half and fully, then release it. Score whether the {outcome} returns at once, late or never, for each {unit}.", "Standard reagents; the graded block is the only new step."},
	{"Mixed population tracing", "Mix marked {unit}s of two histories in one preparation and follow every one to its {outcome}. Order by history and by place, and ask which order explains more.", "Needs two markers and a week of imaging time; the analysis is written."},
	{"Swap at constant load", "Swap the candidate element between two backgrounds at the same load and measure the {readout} in both. The swap is repeated with the order reversed.", "Cloning takes a week; the measurement is routine."},
}

var outcomes = []string{
	"no change within error", "falls to about a third", "rises 2- to 3-fold", "shifts by one step", "lost in most cases",
	"kept, with a delay of an hour", "mixed, in patches", "follows the new place", "follows the old place", "abolished",
	"half of the cases change", "early change, late return", "unchanged at low dose, lost at high dose",
}

type assumptionPlan struct{ name, statement, load, test string }

var assumptionPlans = []assumptionPlan{
	{"The readout is faithful", "The {readout} reports the {outcome} with less than 5 % false calls.", "If it is wrong, T1 and every count after it cannot be interpreted.", "Score 200 {unit}s by an independent method on the same day."},
	{"Handling is harmless", "Moving a {unit} does not by itself change its {outcome}.", "If it is wrong, all displacement results measure the handling.", "Sham displacement to the same place, 40 cases."},
	{"One population", "All {unit}s in the preparation belong to one population.", "If it is wrong, averages hide two opposite responses, and H1 and H2 could both hold for a part.", "Look for two modes in the distribution of single {unit}s."},
	{"The signal is saturated by none", "The {signal} stays within the linear range of its sensor in all conditions.", "If it is wrong, H2 predicts no effect just as H1 does.", "Dose response over two decades."},
	{"Stable over the assay", "The {outcome} does not drift during the hours of the assay.", "If it is wrong, late time points count drift as effect.", "Untouched controls at the first and the last time point."},
}

type critiquePlan struct{ name, attack, evidence, status string }

var critiquePlans = []critiquePlan{
	{"The framing is an artefact of the tools", "The two accounts were drawn up for the perturbations we happen to have. Neither need be what the {unit} computes; the {readout} was chosen because it separates them.", "A perturbation outside the set that moves the {outcome} without moving along either axis.", "Moderate concern; one such perturbation is planned."},
	{"Averages hide the answer", "Every comparison so far is between means. If single {unit}s fall into two groups, both accounts are right about one group and the dispute is empty.", "A two-peaked distribution of single-{unit} responses at an intermediate dose.", "Serious; the single-unit data exist and were not looked at."},
	{"The control is not a control", "The sham arm shares the handling, so that an effect of handling on the {signal} would be subtracted away in all arms and never seen.", "A difference between sham and untouched preparations.", "Low cost to check, so it should be checked first."},
}

var realThirds = []critiquePlan{
	{"A real third alternative: timing alone", "The {outcome} may depend on when and on nothing else. A {unit} that is merely late looks misplaced to one account and mis-descended to the other.", "Matched ages remove the effect entirely while place and history still differ.", "High priority; ages were not matched in the first series."},
	{"A real third alternative: supply", "Neither history nor place but the supply of one substance may decide. Both accounts would then be read off from who gets it first.", "Excess supply abolishes all differences between conditions.", "Worth a week; the substance is cheap."},
}

type anomalyPlan struct{ name, observation, plan string }

var anomalyPlans = []anomalyPlan{
	{"Recovery without the signal", "In 3 of 40 cases the {outcome} returned although the {signal} was absent throughout.", "Repeat with the block verified in every case; if it stays, H1 needs a second path."},
	{"Order of perturbations matters", "The same two perturbations gave different results in the reverse order, in one preparation of four.", "Repeat on a fresh batch with the order drawn by lot."},
	{"A response before the stimulus", "The {readout} rose a minute before the perturbation in two preparations on the same day.", "Suspect leakage; keep aside until the line was rinsed and the case repeated."},
}

var excerpts = []string{
	"§103: \"You've forgotten there's a third alternative. Both could be wrong.\"",
	"§161: \"the most important thing is who were your ancestors\"",
	"§155: \"cells took up their characteristics from their positions in a gradient field\"",
	"§99: \"Well, I'll do a quickie.\"",
	"§105: \"you could make a machine in which the instructions were separate from the machine\"",
	"§160: \"if you can't compute it you can't understand it\"",
}
