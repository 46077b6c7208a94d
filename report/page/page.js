"use strict";
(function () {
  var form = document.getElementById("filters");
  if (!form) return;
  form.hidden = false;
  var findings = Array.from(document.querySelectorAll(".finding"));
  var entries = Array.from(document.querySelectorAll(".entry"));
  var groups = Array.from(document.querySelectorAll(".group"));
  var output = document.getElementById("shown");

  function filter() {
    var data = new FormData(form);
    var severities = data.getAll("severity"), rule = data.get("rule"), group = data.get("group");
    var quiet = data.get("quiet") !== null;
    var narrowed = quiet || rule !== "" || severities.length < 3;
    var shown = 0;
    findings.forEach(function (f) {
      f.hidden = !severities.includes(f.dataset.severity) || rule !== "" && f.dataset.rule !== rule;
    });
    groups.forEach(function (g) {
      g.hidden = group !== "" && g.dataset.group !== group;
      if (!g.hidden) shown += g.querySelectorAll(".finding:not([hidden])").length;
    });
    entries.forEach(function (e) {
      e.hidden = narrowed && !e.querySelector(".finding:not([hidden])");
    });
    output.textContent = shown + " of " + findings.length + (findings.length === 1 ? " finding" : " findings");
  }

  function open() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") target.open = true;
  }

  form.addEventListener("change", filter);
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  window.addEventListener("hashchange", open);
  filter();
  open();
})();
