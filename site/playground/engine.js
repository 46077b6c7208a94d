// The engine behind the page: requests to the worker and its answers.

const maxWait = 60_000; // in ms; a check that takes longer is stopped

// The only scripts that the page may load besides its own.
const scripts = globalThis.trustedTypes?.createPolicy("brennerlint", {
  createScriptURL: (url) => {
    if (url === "worker.js" || url === "../sw.js") return url;
    throw new TypeError(`unexpected script ${url}`);
  },
}) ?? { createScriptURL: (url) => url };

/** engine asks the worker. Of checks that wait only the last one is asked. */
const engine = {
  waiting: [], asked: undefined, worker: undefined, ready: false, next: 0,

  /** start loads the program. */
  start() {
    this.ready = false;
    this.worker = new Worker(scripts.createScriptURL("worker.js"));
    this.worker.onmessage = ({ data }) => {
      if (data.ready) this.ready = true;
      else if (data.broken) this.stop(data.broken);
      else if (data.id === this.asked?.id) {
        const { done, timer } = this.asked;
        clearTimeout(timer);
        this.asked = undefined;
        done(JSON.parse(data.answer));
      }
      this.send();
    };
    this.worker.onerror = (event) => this.stop(event.message || "the worker could not be loaded");
  },

  /** stop ends the worker: what was asked gets an error for an answer. */
  stop(reason) {
    this.worker.terminate();
    this.worker = undefined;
    const lost = this.asked;
    this.asked = undefined;
    clearTimeout(lost?.timer);
    if (lost || !this.ready) (lost ?? this.waiting.shift())?.done({ error: reason });
  },

  /** ask asks for an answer. A check that is overtaken by another is answered with nothing. */
  ask(request) {
    if (request.do === "check") {
      this.waiting.filter((w) => w.request.do === "check").forEach((w) => w.done(undefined));
      this.waiting = this.waiting.filter((w) => w.request.do !== "check");
    }
    return new Promise((done) => {
      this.waiting.push({ id: ++this.next, request, done });
      this.send();
    });
  },

  send() {
    if (this.asked || this.waiting.length === 0) return;
    if (!this.worker) this.start();
    if (!this.ready) return;
    this.asked = this.waiting.shift();
    this.asked.timer = setTimeout(() => {
      this.stop(`stopped after ${maxWait / 1000} s`);
      this.send();
    }, maxWait);
    this.worker.postMessage({ id: this.asked.id, request: JSON.stringify(this.asked.request) });
  },
};
