#include "dalembert/picture/motion/motion_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "dalembert/document/own_output.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/page/html_page.hpp"
#include "picture/motion/motion_window.hpp"
#include "picture/motion/player_text.hpp"

namespace dalembert::study {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Coordinates are kept as whole multiples of this part of what is seen: a twentieth of a pixel.
constexpr double resolution = 1.0 / 20000.0;

constexpr std::string_view player_style = R"css(
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #ffffff; --line: #dedede; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #151515; --line: #333333; } }
/* All of it in one window, also in a frame of another page: the view takes what the rest leaves. */
body { box-sizing: border-box; height: 100vh; display: flex; flex-direction: column; margin: 0 auto; max-width: 75rem; padding: .8rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.2rem; margin: .2rem 0 .6rem; }
svg { display: block; width: 100%; flex: 0 1 auto; min-height: 8rem; border: 1px solid var(--line); cursor: grab; touch-action: none; }
.ground { fill: none; stroke: var(--line); stroke-width: 1; }
.controls { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; margin-top: .6rem; }
#time { flex: 1 1 14rem; } #clock { min-width: 8rem; font-variant-numeric: tabular-nums; }
button, select { font: inherit; padding: .2rem .7rem; } button { min-width: 5rem; }
p { color: #777777; font-size: .9rem; margin: .6rem 0 0; }
)css";

const char* kind_word(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::line:
      return "line";
    case ShapeKind::circle:
      return "circle";
    case ShapeKind::ball:
      return "ball";
    case ShapeKind::point:
      return "point";
    case ShapeKind::trail:
      break;
  }
  return "trail";
}

OrderedJson shapes_json(const Scene& scene) {
  OrderedJson shapes = OrderedJson::array();
  for (const SceneShape& shape : scene.shapes())
    shapes.push_back({{"kind", kind_word(shape.kind)},
                      {"colour", shape.colour},
                      {"width", shape.width},
                      {"closed", shape.is_closed},
                      {"filled", shape.is_filled},
                      {"spokes", shape.has_spokes},
                      {"piece", shape.piece},
                      {"first", shape.first},
                      {"count", shape.count}});
  return shapes;
}

/// Frames as differences from each to the next, in multiples of a scale.
OrderedJson numbers_json(const MotionFrames& frames, double scale) {
  OrderedJson numbers = OrderedJson::array();
  std::vector<std::int64_t> last(frames.frame_size, 0);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const std::span<const double> frame = frames.at(k);
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const auto whole = static_cast<std::int64_t>(std::llround(frame[i] / scale));
      numbers.push_back(whole - last[i]);
      last[i] = whole;
    }
  }
  return numbers;
}

/// The extent of all frames as they are, whatever is followed.
MotionExtent whole_extent(const Scene& scene, const MotionFrames& frames) {
  MotionExtent extent = motion_extent(scene, frames);
  if (!scene.followed()) return extent;
  const std::size_t d = scene.dimension();
  std::vector<double> least(d, INFINITY), largest(d, -INFINITY);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    for (std::size_t i = 0; i < d; ++i) {
      const double x = frames.at(k)[*scene.followed() + i];
      least[i] = numeric::smaller(least[i], x);
      largest[i] = numeric::larger(largest[i], x);
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    extent.least[i] += least[i];
    extent.largest[i] += largest[i];
  }
  return extent;
}

/// Hexadecimal digits of bytes as base64, as policies of pages want hashes.
std::string base64_of(std::string_view digits) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < digits.size(); at += 6) {  // three bytes are four letters
    const std::string group(digits.substr(at, 6));
    const std::uint64_t bits = std::stoul(group, nullptr, 16) << (24 - 4 * group.size());
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= group.size() / 2 ? letters[(bits >> (18 - 6 * i)) & 63U] : '=';
  }
  return text;
}

std::string data_text(const Scene& scene, const MotionFrames& frames, const MotionTitle& title) {
  const MotionBox box = box_of(motion_extent(scene, frames)),
                  whole = box_of(whole_extent(scene, frames));
  const double reach = std::ranges::max(box.reach), scale = reach * resolution;
  OrderedJson data{
      {"dimension", scene.dimension()},
      {"upReversed", scene.is_up_reversed()},
      {"unit",
       title.time_unit.empty() || title.time_unit == "nondimensional" ? "" : " " + title.time_unit},
      {"shapes", shapes_json(scene)},
      {"follow", scene.followed() ? OrderedJson(*scene.followed()) : OrderedJson()},
      {"reach", box.reach},
      {"middle", box.centre},
      {"centre", box.centre},
      {"wholeReach", whole.reach},
      {"wholeCentre", whole.centre},
      {"grid", round_number(reach / 2.0)},
      {"azimuth", usual_azimuth},
      {"elevation", usual_elevation},
      {"speed", usual_speed(frames.t.back() - frames.t.front())},
      {"scale", scale},
      {"frameSize", frames.frame_size},
      {"times", frames.t},
      {"numbers", numbers_json(frames, scale)}};
  std::string text = data.dump();
  // Nothing in a text may begin or end an element.
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
    text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

MotionTitle motion_title(const RunPlan& plan, const std::string& study_title) {
  const std::string& which = plan.label.empty() ? plan.start : plan.label;
  return {
      .title = plan.system.name() + (which.empty() ? "" : ", " + which) + ", " + plan.method.label,
      .description = study_title,
      .time_unit = plan.columns.unit(0)};
}

std::string motion_page(const Scene& scene, const MotionFrames& frames, const MotionTitle& title) {
  const std::string how = scene.is_in_space()
                              ? "Drag to turn, with the shift key to move, turn the wheel to zoom."
                              : "Drag to move, turn the wheel to zoom.";
  return fmt::format(R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{} script-src 'sha256-{}'">
{}
<title>{}</title>
<style>{}</style>
</head>
<body>
<h1>{}</h1>
<svg id="view" role="img" aria-label="{}"></svg>
<div class="controls">
<button id="play" type="button">Play</button>
<input id="time" type="range" min="0" max="1000" step="any" value="0" aria-label="time">
<span id="clock"></span>
<label>speed <select id="speed"></select></label>
<label><input id="follow" type="checkbox"> follow</label>
</div>
<p>{} {} A double click brings the first view back, the space bar plays and stops.</p>
<script id="motion" type="application/json">{}</script>
<script>{}</script>
</body>
</html>
)html",
                     page_policy(), base64_of(player_hash()), page_mark, html_escape(title.title),
                     player_style, html_escape(title.title), html_escape(title.title),
                     html_escape(title.description), how, data_text(scene, frames, title),
                     player_text());
}

}  // namespace dalembert::study
