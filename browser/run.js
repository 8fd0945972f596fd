"use strict";
// Runs what the page would run, without a page: for tests.
//   node browser/run.js COMPUTATION FOLDER    what to run comes as JSON on standard input: a list of what the page asks for;
//   FOLDER holds problems that are no library's. Prints a list of {"result", "records", "warnings"} or {"problem"}.

const fs = require("fs");
const path = require("path");
const [script, folder] = process.argv.slice(2);

require(path.resolve(script))().then((computation) => {
  const asked = (name, ...values) => {
    const answer = JSON.parse(computation[name](...values));
    if ("error" in answer) throw new Error(answer.error);
    return answer;
  };
  const run = (words) => {
    const file = path.join(folder, words.problem);
    if (fs.existsSync(file)) asked("keep", words.problem, fs.readFileSync(file, "utf8"));
    const given = [];
    const runs = asked("plan", JSON.stringify(words)).runs;
    runs.forEach(() => given.push(0));
    while (!asked("advance", (i, rows) => (given[i] += rows.length / runs[i].columns.length)).over);
    const { result, warnings } = asked("outcome");
    const records = runs.map((_, i) => asked("records", i).text);
    records.forEach((text, i) => {
      if (text.split("\n").length - 2 !== given[i]) throw new Error(`${given[i]} records were given of a file of ${text.split("\n").length - 2}`);
    });
    return { result: JSON.parse(result), records, warnings };
  };
  const answers = JSON.parse(fs.readFileSync(0, "utf8")).map((words) => {
    try {
      return run(words);
    } catch (problem) {
      return { problem: String(problem.message ?? problem) };
    }
  });
  process.stdout.write(JSON.stringify(answers));
});
