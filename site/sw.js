// The service worker: the playground works without a network once it was opened, and
// pages that were read can be read again.
"use strict";
const version = "dev";
const files = [];
const cacheName = `brennerlint-${version}`;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(cacheName);
    await cache.addAll(files.map((file) => new Request(file, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("brennerlint-") && name !== cacheName) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(cacheName);
    if (url.pathname.endsWith("/")) url.pathname += "index.html";
    url.search = "";
    const known = await cache.match(url.href);
    if (known) return known;
    const answer = await fetch(event.request);
    if (answer.ok && !answer.redirected) await cache.put(url.href, answer.clone());
    return answer;
  })());
});
