// The worker: loads the program once, then answers requests in turn. The page does
// not freeze however long an answer takes, and can end the worker.
"use strict";
importScripts("wasm_exec.js");

self.brennerlintReady = (answer) => {
  self.onmessage = ({ data }) => postMessage({ id: data.id, answer: answer(data.request) });
  postMessage({ ready: true });
};

(async () => {
  const packed = await fetch("engine.bin");
  if (!packed.ok) throw new Error(`engine.bin: HTTP status ${packed.status}`);
  const bytes = packed.body.pipeThrough(new DecompressionStream("gzip"));
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
  await go.run(instance);
  throw new Error("the program ended");
})().catch((error) => postMessage({ broken: String(error?.message ?? error) }));
