"use strict";
// Curves of runs: one quantity against time, a curve for each run.

const curveColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b"];

/** Text as HTML: the library of curves takes labels for that. */
const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

class Curves {
  constructor(box, legend) {
    this.box = box;
    this.legend = legend;
    this.runs = [];
    this.quantity = null;
    this.graph = null;
  }

  begin(runs) {
    this.runs = runs.map((run) => ({ ...run, width: run.columns.length, rows: [] }));
  }

  add(run, rows) {
    this.runs[run].rows.push(rows);
  }

  /** What can be shown: errors of what is conserved, the constraint, then the columns. */
  quantities() {
    if (this.runs.length === 0) return [];
    const columns = this.runs[0].columns.map((column) => column.name).slice(1);
    const kept = ["energy", ...this.runs[0].integrals].filter((name) => columns.includes(name));
    const errors = kept.map((name) => ({ name, error: true, title: `error of ${name}` }));
    const values = columns.map((name) => ({ name, error: name === "constraint", title: name === "constraint" ? "|constraint|" : name }));
    return [...errors, ...values.filter((value) => value.error), ...values.filter((value) => !value.error)];
  }

  /** The points of a run as [t, value]. */
  points(run) {
    const column = run.columns.findIndex(({ name }) => name === this.quantity.name);
    if (column < 0) return [];
    const points = [];
    let first = null;
    for (const rows of run.rows) {
      for (let row = 0; row < rows.length; row += run.width) {
        const value = rows[row + column];
        if (first === null) first = this.quantity.name === "constraint" ? 0 : value;
        points.push([rows[row], this.quantity.error ? Math.abs(value - first) : value]);
      }
    }
    return points;
  }

  /** One table of all runs, a row for each time. Logarithms leave out zeros. */
  table() {
    const table = new Map();
    this.runs.forEach((run, i) => {
      for (const [t, value] of this.points(run)) {
        if (!table.has(t)) table.set(t, new Array(this.runs.length).fill(null));
        if (Number.isFinite(value) && !(this.quantity.error && value === 0)) table.get(t)[i] = value;
      }
    });
    return [...table.entries()].sort((a, b) => a[0] - b[0]).map(([t, values]) => [t, ...values]);
  }

  draw() {
    if (!this.quantity) return;
    const data = this.table();
    if (data.length === 0) return;
    const drawn = this.runs.some((_, i) => data.some((row) => row[i + 1] !== null));
    const logarithmic = this.quantity.error && drawn;
    const labels = ["t", ...this.names()];
    const unit = this.runs[0].columns.find(({ name }) => name === this.quantity.name)?.unit;
    const number = (value) => (value === 0 ? "0" : Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5 ? value.toExponential(0) : String(+value.toPrecision(6)));
    this.graph?.destroy();
    this.graph = new Dygraph(this.box, data, {
      labels,
      labelsDiv: this.legend,
      legend: "always",
      colors: this.runs.map((_, i) => curveColours[i % curveColours.length]),
      logscale: logarithmic,
      connectSeparatedPoints: true,
      strokeWidth: 1.5,
      gridLineColor: "#88888866",
      digitsAfterDecimal: 17,
      xlabel: "t",
      ylabel: escaped(this.quantity.title + (unit && unit !== "nondimensional" ? ` (${unit})` : "")),
      axes: { y: { axisLabelFormatter: number, valueFormatter: (value) => value.toPrecision(6), axisLabelWidth: 64 }, x: { valueFormatter: (t) => `t = ${+t.toPrecision(10)}` } },
    });
  }

  /** Names of the runs that tell them apart: methods, or what else differs too. */
  names() {
    const distinct = (names) => new Set(names).size === names.length;
    const choices = [(run) => run.method, (run) => run.title.replace(/^run /, ""), (run, i) => `${i + 1}: ${run.title}`];
    return choices.map((name) => this.runs.map(name)).find(distinct);
  }
}
