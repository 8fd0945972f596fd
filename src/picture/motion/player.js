// Plays a motion: shapes of a scene, frame after frame, as SVG. The page has what motion_page.cpp writes as data, which is no script.
"use strict";
const motion = JSON.parse(document.getElementById("motion").textContent);
const d = motion.dimension, shapes = motion.shapes, times = motion.times, count = times.length;
const size = motion.frameSize, scale = motion.scale;
const svgNames = "http://www.w3.org/2000/svg";
const view = document.getElementById("view"), playButton = document.getElementById("play"), slider = document.getElementById("time");
const clock = document.getElementById("clock"), speedChoice = document.getElementById("speed"), followBox = document.getElementById("follow");

// Numbers are whole multiples of a scale, as differences from frame to frame.
const frames = new Float64Array(count * size);
for (let i = 0; i < size; ++i) {
  let sum = 0;
  for (let k = 0; k < count; ++k) {
    sum += motion.numbers[k * size + i];
    frames[k * size + i] = sum * scale;
  }
}

// What is seen: a time, whether it runs, and from where.
const state = { t: times[0], playing: false, speed: motion.speed, azimuth: motion.azimuth, elevation: motion.elevation, zoom: 1, panX: 0, panY: 0, following: motion.follow !== null };
const width = 960, height = 600;
view.setAttribute("viewBox", `0 0 ${width} ${height}`);

// The frame at a time, between two that are there.
const now = new Float64Array(size);
let index = 0;
function settle() {
  let low = 0, high = count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= state.t) low = middle; else high = middle;
  }
  index = low;
  const part = Math.min(1, Math.max(0, (state.t - times[low]) / (times[high] - times[low])));
  for (let i = 0; i < size; ++i) now[i] = (1 - part) * frames[low * size + i] + part * frames[high * size + i];
}

// From coordinates to the screen: a plane as it is, space turned and seen from far away.
let pixels = 1, centre = [0, 0, 0], cosA = 1, sinA = 0, cosE = 1, sinE = 0;
function place() {
  const following = state.following && motion.follow !== null;
  centre = motion.centre.slice();
  if (following) for (let i = 0; i < d; ++i) centre[i] = motion.middle[i] + now[motion.follow + i];
  const reach = following || motion.follow === null ? motion.reach : motion.wholeReach;
  if (motion.follow !== null && !following) centre = motion.wholeCentre.slice();
  cosA = Math.cos(state.azimuth); sinA = Math.sin(state.azimuth);
  cosE = Math.cos(state.elevation); sinE = Math.sin(state.elevation);
  if (d === 3) {
    pixels = 0.47 * Math.min(width, height) / Math.hypot(...reach) * state.zoom * 1.25;
  } else {
    pixels = 0.46 * Math.min(width / reach[0], height / reach[1]) * state.zoom;
  }
}
const up = motion.upReversed ? -1 : 1;
function screen(x, y, z) {
  x -= centre[0]; y -= centre[1];
  if (d === 2) return [width / 2 + state.panX + pixels * x, height / 2 + state.panY - pixels * y];
  // Turned about the vertical, then tilted. Where the third axis points down the second one is turned over, too.
  z = up * (z - centre[2]); y *= up;
  const across = cosA * x + sinA * y, away = -sinA * x + cosA * y;
  return [width / 2 + state.panX + pixels * across, height / 2 + state.panY - pixels * (cosE * z + sinE * away)];
}
// How near a direction points towards who looks on.
function towards(x, y, z) {
  y *= up; z *= up;
  return -cosE * (-sinA * x + cosA * y) + sinE * z;
}

// SVG of each shape.
function element(name, attributes, parent) {
  const made = document.createElementNS(svgNames, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  parent.appendChild(made);
  return made;
}
const ground = element("path", { class: "ground" }, view);
const drawn = shapes.map((shape) => {
  const stroke = shape.colour || "currentColor";
  if (shape.kind === "point") return element("circle", { r: shape.width / 2, fill: stroke }, view);
  return element("path", {
    fill: shape.filled ? stroke : "none", "fill-opacity": 0.25, stroke, "stroke-width": shape.width,
    "stroke-linejoin": "round", "stroke-linecap": "round", class: shape.kind
  }, view);
});
const number = (x) => x.toFixed(1);
const pair = (p) => number(p[0]) + " " + number(p[1]);
const at = (k) => screen(now[k], now[k + 1], d === 3 ? now[k + 2] : 0);

function linePath(shape) {
  const points = shape.count / d, piece = shape.piece || points;
  let path = "";
  for (let k = 0; k < points; ++k) path += (k % piece === 0 ? "M" : "L") + pair(at(shape.first + k * d)) + (shape.closed && k % piece === piece - 1 ? "Z" : "");
  return path;
}
// The ellipse of two half axes u, v about a centre c, which begin at these numbers.
function ellipsePath(c, u, v, from, to, pieces) {
  let path = "";
  for (let k = 0; k <= pieces; ++k) {
    const angle = from + (to - from) * k / pieces, cos = Math.cos(angle), sin = Math.sin(angle);
    const x = [0, 0, 0];
    for (let i = 0; i < d; ++i) x[i] = c[i] + cos * u[i] + sin * v[i];
    path += (k === 0 ? "M" : "L") + pair(screen(x[0], x[1], x[2]));
  }
  return path;
}
const vector = (k) => Array.from(now.subarray(k, k + d));
function circlePath(shape) {
  const c = vector(shape.first), u = vector(shape.first + d), v = vector(shape.first + 2 * d);
  let path = ellipsePath(c, u, v, 0, 2 * Math.PI, 48) + "Z";
  if (shape.spokes) {
    for (let k = 0; k < 3; ++k) {
      const cos = Math.cos(k * 2 * Math.PI / 3), sin = Math.sin(k * 2 * Math.PI / 3), x = [0, 0, 0];
      for (let i = 0; i < d; ++i) x[i] = c[i] + cos * u[i] + sin * v[i];
      path += "M" + pair(screen(c[0], c[1], c[2])) + "L" + pair(screen(x[0], x[1], x[2]));
    }
  }
  return path;
}
// The outline of an ellipsoid, and on its near side the three ellipses along its axes.
function ballPath(shape) {
  const c = vector(shape.first), axes = [1, 2, 3].map((k) => vector(shape.first + k * d));
  // Seen from afar the outline is the ellipse of the projected axes: extreme in every direction of the screen.
  const origin = screen(c[0], c[1], c[2]);
  const flat = axes.map((a) => { const p = screen(c[0] + a[0], c[1] + a[1], c[2] + a[2]); return [p[0] - origin[0], p[1] - origin[1]]; });
  let xx = 0, xy = 0, yy = 0;
  for (const [x, y] of flat) { xx += x * x; xy += x * y; yy += y * y; }
  const root = Math.sqrt(Math.max(0, xx * yy - xy * xy)), norm = Math.sqrt(xx + yy + 2 * root) || 1;
  const a = (xx + root) / norm, b = xy / norm, e = (yy + root) / norm;  // the square root of the matrix
  let path = "";
  for (let k = 0; k <= 64; ++k) {
    const cos = Math.cos(k * Math.PI / 32), sin = Math.sin(k * Math.PI / 32);
    path += (k === 0 ? "M" : "L") + pair([origin[0] + a * cos + b * sin, origin[1] + b * cos + e * sin]);
  }
  path += "Z";
  if (!shape.spokes) return path;
  const lengths = axes.map((x) => x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const near = axes.map((x, i) => towards(x[0], x[1], x[2]) / lengths[i]);
  for (const [i, j] of [[0, 1], [1, 2], [2, 0]]) {
    // On the near side the normal points to who looks on.
    const start = Math.atan2(near[j], near[i]) - Math.PI / 2;
    path += ellipsePath(c, axes[i], axes[j], start, start + Math.PI, 24);
  }
  return path;
}
function trailPath(shape) {
  const stride = Math.max(1, Math.floor(index / 1500));
  let path = "";
  for (let k = 0; k <= index; k += stride) {
    const first = k * size + shape.first;
    path += (k === 0 ? "M" : "L") + pair(screen(frames[first], frames[first + 1], d === 3 ? frames[first + 2] : 0));
  }
  return path + "L" + pair(at(shape.first));
}
// A grid on the plane z = 0, so that one sees what moves.
function groundPath() {
  if (d === 2) return "";
  const step = motion.grid, reach = Math.ceil(1.4 * Math.hypot(motion.reach[0], motion.reach[1]) / step / Math.min(1, state.zoom));
  const lines = Math.min(reach, 30), x0 = Math.round(centre[0] / step), y0 = Math.round(centre[1] / step);
  let path = "";
  for (let k = -lines; k <= lines; ++k) {
    path += "M" + pair(screen((x0 + k) * step, (y0 - lines) * step, 0)) + "L" + pair(screen((x0 + k) * step, (y0 + lines) * step, 0));
    path += "M" + pair(screen((x0 - lines) * step, (y0 + k) * step, 0)) + "L" + pair(screen((x0 + lines) * step, (y0 + k) * step, 0));
  }
  return path;
}
const paths = { line: linePath, circle: circlePath, ball: ballPath, trail: trailPath };

function draw() {
  settle();
  place();
  ground.setAttribute("d", groundPath());
  shapes.forEach((shape, i) => {
    if (shape.kind === "point") {
      const p = at(shape.first);
      drawn[i].setAttribute("cx", number(p[0]));
      drawn[i].setAttribute("cy", number(p[1]));
    } else {
      drawn[i].setAttribute("d", paths[shape.kind](shape));
    }
  });
  slider.value = String(1000 * (state.t - times[0]) / (times[count - 1] - times[0]));
  clock.textContent = "t = " + state.t.toPrecision(4) + motion.unit;
}

let last = null;
function tick(moment) {
  if (!state.playing) return;
  if (last !== null) state.t += state.speed * (moment - last) / 1000;
  last = moment;
  if (state.t > times[count - 1]) state.t = times[0];
  draw();
  requestAnimationFrame(tick);
}
function play(on) {
  state.playing = on;
  last = null;
  playButton.textContent = on ? "Pause" : "Play";
  if (on) requestAnimationFrame(tick);
}
playButton.addEventListener("click", () => play(!state.playing));
slider.addEventListener("input", () => {
  state.t = times[0] + slider.value / 1000 * (times[count - 1] - times[0]);
  draw();
});
for (const factor of [0.1, 0.2, 0.5, 1, 2, 5, 10]) {
  const option = document.createElement("option");
  option.value = String(motion.speed * factor);
  const speed = Number((motion.speed * factor).toPrecision(2));
  option.textContent = speed === 1 ? "real time" : speed + " x real time";
  option.selected = factor === 1;
  speedChoice.appendChild(option);
}
speedChoice.addEventListener("change", () => { state.speed = Number(speedChoice.value); });
followBox.parentElement.hidden = motion.follow === null;
followBox.checked = state.following;
followBox.addEventListener("change", () => { state.following = followBox.checked; draw(); });
let grabbed = null;
view.addEventListener("pointerdown", (event) => { grabbed = [event.clientX, event.clientY]; view.setPointerCapture(event.pointerId); });
view.addEventListener("pointermove", (event) => {
  if (grabbed === null) return;
  const moved = [event.clientX - grabbed[0], event.clientY - grabbed[1]], unit = 1 / view.getScreenCTM().a;
  grabbed = [event.clientX, event.clientY];
  if (d === 3 && !event.shiftKey) {
    state.azimuth -= 0.008 * moved[0];
    state.elevation = Math.min(1.57, Math.max(-0.3, state.elevation + 0.008 * moved[1]));
  } else {
    state.panX += unit * moved[0];
    state.panY += unit * moved[1];
  }
  draw();
});
for (const name of ["pointerup", "pointercancel"]) view.addEventListener(name, () => { grabbed = null; });
view.addEventListener("wheel", (event) => {
  event.preventDefault();
  state.zoom = Math.min(50, Math.max(0.05, state.zoom * Math.exp(-0.001 * event.deltaY)));
  draw();
}, { passive: false });
view.addEventListener("dblclick", () => { Object.assign(state, { azimuth: motion.azimuth, elevation: motion.elevation, zoom: 1, panX: 0, panY: 0 }); draw(); });
document.addEventListener("keydown", (event) => {
  if (event.key === " " && event.target === document.body) { event.preventDefault(); play(!state.playing); }
});
draw();
play(!window.matchMedia("(prefers-reduced-motion: reduce)").matches);
window.dalembert = { state, motion, draw, play };
