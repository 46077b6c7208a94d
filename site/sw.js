// The service worker: the playground works without a network once it was opened, and pages
// that were read can be read again. With a network everything comes from there.
"use strict";
const version = "dev"; // site/build writes it, so that each browser replaces what an older site left
const playground = ["", "index.html", "playground.css", "playground.js", "theme.js", "worker.js", "wasm_exec.js", "engine.bin"];
const examples = ["delta.md", "draft.json", "RS-20251230-cell-fate.json", "RS-20251230-cell-fate.md", "faulty-artifact.md"];

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(version);
    const files = [...playground, ...examples.map((name) => `examples/${name}`)].map((name) => `playground/${name}`);
    await cache.addAll(["icon.svg", ...files].map((file) => new Request(file, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== version) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(version);
    url.search = "";
    try {
      const answer = await fetch(event.request);
      if (answer.ok && !answer.redirected) await cache.put(url.href, answer.clone());
      return answer;
    } catch (error) {
      const known = await cache.match(url.href);
      if (known) return known;
      throw error;
    }
  })());
});
