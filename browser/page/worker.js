"use strict";
// The thread that computes: answers to what the page asks, one at a time; runs rest often enough that the page can stop them.
// makeDalembert comes from what stands before this in the same text.

const ready = makeDalembert();
let stopped = false;

function asked(computation, name, values) {
  const answer = JSON.parse(computation[name](...values));
  if ("error" in answer) throw new Error(answer.error);
  return answer;
}

/** Runs what is asked for; what was computed before a stop stays. */
async function run(computation, words) {
  stopped = false;
  postMessage({ planned: asked(computation, "plan", [JSON.stringify(words)]).runs });
  const give = (run, rows, steps) => postMessage({ run, rows, steps }, [rows.buffer]);
  while (!stopped && !asked(computation, "advance", [give]).over) await new Promise((rested) => setTimeout(rested, 0));
  return { ...asked(computation, "outcome", []), stopped };
}

onmessage = async ({ data }) => {
  if (data.name === "stop") {
    stopped = true;
    return;
  }
  try {
    const computation = await ready;
    const answer = data.name === "run" ? await run(computation, data.values[0]) : asked(computation, data.name, data.values);
    postMessage({ id: data.id, answer });
  } catch (problem) {
    // A number is a C++ exception that nobody has turned into a sentence: memory that is used up.
    postMessage({ id: data.id, problem: problem instanceof Error ? problem.message : "there is not enough memory for this" });
  }
};
