for (const button of all("button.open")) await press(button);
for (const button of all("button.message")) await press(button);
for (const tab of all("[role=tab]")) await press(tab);
for (const button of all("button.field")) await press(button);
for (const fold of all("details")) fold.open = true;
await new Promise((r) => setTimeout(r, 1000)); // for what would run late
report(root.outerHTML);
