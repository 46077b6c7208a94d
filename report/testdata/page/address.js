report({ findings: all(".finding").length, q: document.querySelector("[type=search]").value,
	boxes: all("[name=severity]").map((b) => b.checked), chips: all(".chip").map((c) => c.textContent) });
