"use strict";
// The thread that computes, as seen from the page. The text of dalembertComputation is a script, so that it starts from a file as well as
// from a server, which browsers keep apart.

class Computation {
  constructor() {
    const script = new Blob([dalembertComputation], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(script));
    this.waiting = new Map();
    this.count = 0;
    this.onplanned = this.onrows = () => {};
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.fail(event.message);
  }

  receive(data) {
    if (data.planned) return this.onplanned(data.planned);
    if (data.rows) return this.onrows(data.run, data.rows, data.steps);
    const { resolve, reject } = this.waiting.get(data.id);
    this.waiting.delete(data.id);
    return "answer" in data ? resolve(data.answer) : reject(new Error(data.problem));
  }

  fail(message) {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }

  ask(name, ...values) {
    const id = ++this.count;
    this.worker.postMessage({ id, name, values });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  stop() {
    this.worker.postMessage({ name: "stop" });
  }
}
