report({ groups: document.getElementById("groups").textContent, shown: document.getElementById("shown").textContent });
