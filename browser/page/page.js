"use strict";
// A problem file that can be edited, methods, runs, and what comes of them.

(() => {
  const at = (id) => document.getElementById(id);
  const element = (name, text, properties = {}) => Object.assign(document.createElement(name), { textContent: text }, properties);
  const ownProblem = `name        = "my-problem"
description = "A blade on an inclined plane."
coordinates = ["x", "y", "phi"]
angles      = ["phi"]

[parameters]
slope = 0.2

[lagrangian]
kinetic   = "(x_dot^2 + y_dot^2 + phi_dot^2)/2"
potential = "-slope*x"

[constraints]
expressions = ["x_dot*sin(phi) - y_dot*cos(phi)"]

[picture]

[[picture.trail]]
at = ["x", "y"]

[[picture.wheel]]
at      = ["x", "y"]
heading = "phi"
length  = 0.3

[initial.turning]
q = [0, 0, 0.3]
v = ["cos(0.3)", "sin(0.3)", 1]
`;
  const usual = { problem: "pendulum-cvt", methods: "leapfrog, gauss", start: "rotating", step: "0.1", until: "1000" };

  const computation = new Computation();
  const curves = new Curves(at("graph"), at("legend"));
  const editor = CodeMirror.fromTextArea(at("text"), { mode: "toml", lineNumbers: true, lineWrapping: true });
  const texts = new Map(); // of the library, by name
  let described = null, asked = null, result = null, running = false, markedLine = null;

  const file = () => at("file").value.trim();
  const methodsOf = (text) => {
    const methods = [""];
    let depth = 0;
    for (const c of text) {
      depth += (c === "(") - (c === ")");
      if (c === "," && depth === 0) methods.push("");
      else methods[methods.length - 1] += c;
    }
    return methods.map((method) => method.trim()).filter((method) => method !== "");
  };

  // What is asked for.

  function words() {
    return {
      problem: file(), methods: methodsOf(at("methods").value), start: at("start").value, step: at("step").value.trim(),
      until: at("until").value.trim(), settings: settings(),
    };
  }

  function settings() {
    return at("settings").value.split(/\s+(?=[\w.]+=)/).map((setting) => setting.trim()).filter((setting) => setting !== "");
  }

  function quoted(word) {
    return /^[\w./=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  }

  function showCommand() {
    const { problem, methods, start, step, until, settings } = words();
    const parts = ["dalembert", "run", isOfLibrary() ? at("problem").value : problem];
    for (const method of methods) parts.push("--method", method);
    for (const [option, value] of [["--step", step], ["--until", until], ["--start", start]]) if (value) parts.push(option, value);
    for (const setting of settings) parts.push("--set", setting);
    at("command").textContent = parts.map(quoted).join(" ");
  }

  function isOfLibrary() {
    const name = at("problem").value;
    return texts.get(name) === editor.getValue() && file() === `${name}.toml`;
  }

  // What is wrong, with its line.

  function complain(message) {
    at("problem-message").textContent = message;
    at("problem-message").hidden = message === "";
    if (markedLine !== null) editor.removeLineClass(markedLine, "background", "wrong-line");
    markedLine = null;
    const place = message.startsWith(`${file()}:`) ? /^:(\d+)/.exec(message.slice(file().length)) : null;
    if (!place) return;
    markedLine = editor.addLineClass(Number(place[1]) - 1, "background", "wrong-line");
    editor.scrollIntoView({ line: Number(place[1]) - 1, ch: 0 }, 60);
  }

  function say(state) {
    at("state").textContent = state;
  }

  // Problems.

  async function textOf(name) {
    if (name === "") return ownProblem;
    if (!texts.has(name)) texts.set(name, (await computation.ask("problemText", name)).text);
    return texts.get(name);
  }

  async function choose(name, text) {
    at("problem").value = name;
    at("file").value = `${name === "" ? "my-problem" : name}.toml`;
    const known = await textOf(name);
    editor.setValue(text ?? known);
    await describe();
  }

  /** A problem with what suits it, to begin with. */
  async function begin(name) {
    at("settings").value = "";
    await choose(name);
    const others = (described?.advice ?? []).map(({ method }) => method).filter((method) => !/^(lobatto|gauss)/.test(method));
    at("methods").value = [...new Set(["gauss(stages=3)", ...others.slice(0, 1)])].join(", ");
    [at("step").value, at("until").value] = ["0.01", "20"];
    showCommand();
  }

  let describing = 0;
  async function describe() {
    const turn = ++describing;
    try {
      await computation.ask("keep", file(), editor.getValue());
      const found = await computation.ask("describe", file());
      if (turn !== describing) return;
      described = found;
      complain("");
      const chosen = at("start").value;
      at("start").replaceChildren(...found.starts.map((start) => element("option", start, { value: start })));
      if (found.starts.includes(chosen)) at("start").value = chosen;
      at("sheet").srcdoc = found.page;
      at("more").replaceChildren(element("option", "add …", { value: "" }), ...found.fitting.map((name) => element("option", name, { value: name })));
      showAdvice(found.advice);
      for (const warning of found.warnings) complain(`warning: ${warning}`);
    } catch (problem) {
      if (turn !== describing) return;
      described = null;
      complain(problem.message);
    }
    showCommand();
  }

  function addMethod(name) {
    const methods = methodsOf(at("methods").value);
    if (!methods.includes(name)) at("methods").value = [...methods, name].join(", ");
    showCommand();
  }

  function showAdvice(advice) {
    const buttons = advice.map(({ method, reason }) => element("button", method, { title: reason, onclick: () => addMethod(method) }));
    at("advice").replaceChildren("Suits it: ", ...buttons.flatMap((button) => [button, " "]));
  }

  // Runs.

  async function run() {
    if (running) return;
    clearTimeout(waiting);
    await describe();
    if (!described) return;
    asked = words();
    setRunning(true);
    forget();
    try {
      const answer = await computation.ask("run", asked);
      result = answer.result;
      showNumbers(JSON.parse(result), answer.warnings);
      const without = JSON.parse(result).runs.filter((entry) => entry.status !== "ok").length;
      say(answer.stopped ? "stopped" : without ? `done, ${without} failed or refused` : "done");
      if (!at("motion").hidden) await showMotion();
    } catch (problem) {
      complain(problem.message);
      say("refused");
    }
    setRunning(false);
    draw();
  }

  function setRunning(is) {
    running = is;
    at("run").disabled = is;
    at("stop").disabled = !is;
    at("progress").hidden = !is;
    at("progress").value = 0;
    if (is) say("running");
    for (const id of ["save-result", "save-records"]) at(id).disabled = is || result === null;
  }

  function forget() {
    result = null;
    curves.begin([]);
    at("results").replaceChildren();
    at("warnings").replaceChildren();
    at("player").hidden = true;
    at("moving").replaceChildren();
  }

  let steps = [], drawnAt = 0;
  computation.onplanned = (runs) => {
    curves.begin(runs);
    steps = runs.map(() => 0);
    drawnAt = performance.now();
    const names = curves.names();
    at("moving").replaceChildren(...names.map((name, i) => element("option", name, { value: i })));
    const chosen = at("quantity").value;
    const quantities = curves.quantities();
    at("quantity").replaceChildren(...quantities.map(({ title }, i) => element("option", title, { value: title })));
    if (quantities.some(({ title }) => title === chosen)) at("quantity").value = chosen;
    curves.quantity = quantities.find(({ title }) => title === at("quantity").value);
  };

  computation.onrows = (i, rows, done) => {
    curves.add(i, rows);
    steps[i] = done;
    const all = curves.runs.reduce((sum, run) => sum + run.steps, 0);
    at("progress").value = steps.reduce((sum, count) => sum + count, 0) / Math.max(all, 1);
    if (performance.now() - drawnAt > 1000) draw();
  };

  function draw() {
    drawnAt = performance.now();
    if (!at("curves").hidden) curves.draw();
  }

  // What came of them.

  const short = (value) => {
    if (typeof value !== "number") return value ?? "";
    if (Number.isInteger(value)) return String(value);
    if (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6) return String(+value.toPrecision(5));
    return value.toExponential(3);
  };

  function showNumbers(all, warnings) {
    const integrals = [...new Set(all.runs.flatMap((entry) => Object.keys(entry.diagnostics?.integrals ?? {})))];
    const head = ["method", "start", "status", "steps", "energy error", "constraint", ...integrals.map((name) => `${name} error`), "s per step"];
    const rows = all.runs.map((entry) => {
      const diagnostics = entry.diagnostics ?? {};
      return [entry.label, entry.start, entry.status, entry.steps, diagnostics.energy_error_max, diagnostics.constraint_max,
        ...integrals.map((name) => diagnostics.integrals?.[name]?.max_error), entry.work?.seconds_per_step];
    });
    const line = (cells, kind) => {
      const row = document.createElement("tr");
      row.append(...cells.map((cell) => element(kind, short(cell))));
      return row;
    };
    at("results").replaceChildren(line(head, "th"), ...rows.map((row) => line(row, "td")));
    const messages = all.runs.filter((entry) => entry.message).map((entry) => entry.message);
    at("warnings").replaceChildren(...[...messages, ...warnings].map((text) => element("li", text)));
  }

  async function showMotion() {
    if (running || result === null || at("moving").value === "") return;
    try {
      const { page } = await computation.ask("motion", Number(at("moving").value));
      at("player").srcdoc = page;
      at("player").hidden = false;
      at("motion-message").textContent = "";
    } catch (problem) {
      at("player").hidden = true;
      at("motion-message").textContent = problem.message;
    }
  }

  function save(name, text, type) {
    const link = element("a", "", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // A link that holds all of it.

  function encoded(text) {
    return btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  function decoded(text) {
    return new TextDecoder().decode(Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)));
  }

  function linkHere() {
    const parts = new URLSearchParams({ problem: at("problem").value });
    for (const id of ["methods", "start", "step", "until", "settings"]) if (at(id).value) parts.set(id, at(id).value);
    if (!isOfLibrary()) parts.set("text", encoded(editor.getValue()));
    history.replaceState(null, "", `#${parts}`);
    navigator.clipboard?.writeText(location.href).then(() => say("the link is copied"), () => say("the link is in the address bar"));
  }

  /** What a link asks for; a sentence where it asks for what there is not. */
  async function open(given, problems) {
    let text, wrong = "";
    try {
      if (given.text !== undefined) text = decoded(given.text);
    } catch {
      wrong = "the link is cut off or damaged: its problem cannot be read";
    }
    const isKnown = given.problem === "" || problems.includes(given.problem);
    if (!isKnown) wrong = await textOf(given.problem).then(() => "", (problem) => `the link: ${problem.message}`);
    await choose(isKnown ? given.problem : "", text);
    if (!given.start || !described) return wrong;
    if (described.starts.includes(given.start)) at("start").value = given.start;
    else wrong ||= `the link asks for the start "${given.start}", which the problem does not have`;
    return wrong;
  }

  function showTab(name) {
    for (const tab of document.querySelectorAll("#dalembert [role=tab]")) {
      const is = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", is);
      at(tab.getAttribute("aria-controls")).hidden = !is;
    }
    if (name === "curves") draw();
    if (name === "motion") showMotion();
  }

  let waiting = null;
  editor.on("change", () => {
    clearTimeout(waiting);
    if (!running) waiting = setTimeout(describe, 500);
  });
  editor.setOption("extraKeys", { "Ctrl-Enter": run, "Cmd-Enter": run });
  at("problem").onchange = () => begin(at("problem").value);
  at("more").onchange = () => { if (at("more").value) addMethod(at("more").value); at("more").value = ""; };
  for (const id of ["methods", "start", "step", "until", "settings", "file"]) at(id).oninput = showCommand;
  at("run").onclick = run;
  at("stop").onclick = () => computation.stop();
  at("link").onclick = linkHere;
  at("quantity").onchange = () => {
    curves.quantity = curves.quantities().find(({ title }) => title === at("quantity").value);
    draw();
  };
  at("moving").onchange = showMotion;
  at("save-problem").onclick = () => save(file(), editor.getValue(), "text/plain");
  at("save-result").onclick = () => save("result.json", result, "application/json");
  at("save-records").onclick = async () => {
    const i = Number(at("moving").value);
    save(`${curves.names()[i]}.csv`, (await computation.ask("records", i)).text, "text/csv");
  };
  for (const tab of document.querySelectorAll("#dalembert [role=tab]")) tab.onclick = () => showTab(tab.id.slice(4));

  (async () => {
    try {
      const { problems } = await computation.ask("library");
      at("problem").replaceChildren(...problems.map((name) => element("option", name, { value: name })), element("option", "a new one", { value: "" }));
      const parts = new URLSearchParams(location.hash.slice(1));
      const given = parts.has("problem") ? Object.fromEntries(parts) : usual;
      for (const id of ["methods", "step", "until", "settings"]) at(id).value = given[id] ?? "";
      const wrong = await open(given, problems);
      showCommand();
      if (wrong) complain(wrong);
      say("ready");
    } catch (problem) {
      complain(problem.message);
      say("cannot compute here");
    }
  })();
})();
