const state = () => [all(".finding").length, all(".group").length, byID("shown").textContent, location.hash];
function byID(id) { return document.getElementById(id); }
const out = { all: state() };
await turn(() => document.querySelector("input[value=error]").click());
out.severity = state();
await turn(() => document.querySelector("[data-value='MB-005']").click());
out.rule = state();
await turn(() => document.querySelector("[data-filter=all]").click());
const search = document.querySelector("[type=search]");
await turn(() => { search.value = "Another WORD"; search.dispatchEvent(new Event("input", { bubbles: true })); });
out.search = state();
await turn(() => { location.hash = "agent=BlueLake&severity=error"; });
out.agent = [...state(), search.value, all("tr.on").length];
await turn(() => document.querySelector("tr.on a").click());
out.off = state();
await turn(() => document.querySelector("h3 a").click());
await wait(() => all(".timeline > li").length > 0);
out.thread = [...state(), all(".timeline > li").length];
report(out);
