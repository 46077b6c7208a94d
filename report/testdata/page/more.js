const out = {};
await wait(() => all(".group").length >= 30);
await wait(() => { document.getElementById("more").click(); return all(".group").length === 80; });
out.groups = all(".group").length;
await press(all("button.open").at(-1));
await wait(() => all(".timeline").length);
out.rows = all(".timeline > li").length;
report(out);
