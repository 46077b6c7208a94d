const root = document.documentElement;
const wait = async (ok) => { for (let i = 0; i < 500 && !ok(); i++) await new Promise((r) => setTimeout(r, 10)); };
const all = (selector) => [...document.querySelectorAll(selector)];
const turn = async (act) => { const before = root.dataset.ready; act(); await wait(() => root.dataset.ready !== before); };
const press = async (button) => { button.click(); await new Promise((r) => setTimeout(r, 50)); };
const report = (value) => { parent.postMessage({ visit, value }, "*"); };
await wait(() => root.dataset.ready);
