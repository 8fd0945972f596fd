#include "dalembert/picture/motion/motion_gif.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "dalembert/document/file_text.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/document/own_output.hpp"
#include "dalembert/error.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "picture/draw/gnuplot.hpp"
#include "picture/motion/motion_window.hpp"

namespace dalembert::study {
namespace {

using Pixel = std::array<double, 2>;
using Polyline = std::vector<Pixel>;

constexpr double frames_per_second = 20.0;

/// The view of player.js before anybody drags it: a plane as it is, space turned and seen from far
/// away.
class MotionView {
 public:
  MotionView(const Scene& scene, const MotionFrames& frames, const GifLook& look)
      : scene_(scene), box_(box_of(motion_extent(scene, frames))) {
    if (scene.is_in_space()) {
      const double size = numeric::hypot(box_.reach[0], box_.reach[1], box_.reach[2]);
      pixels_ = 0.59 * static_cast<double>(std::min<int>(look.width, look.height)) / size;
    } else {
      pixels_ = 0.46 * numeric::smaller(look.width / box_.reach[0], look.height / box_.reach[1]);
    }
    middle_ = {0.5 * look.width, 0.5 * look.height};
  }

  const MotionBox& box() const { return box_; }

  /// Looks at a frame: what is followed stays in the middle.
  void look_at(std::span<const double> frame) {
    centre_ = box_.centre;
    if (!scene_.followed()) return;
    for (std::size_t i = 0; i < centre_.size(); ++i) centre_[i] += frame[*scene_.followed() + i];
  }
  const std::vector<double>& centre() const { return centre_; }

  Pixel at(std::span<const double> point) const {
    double x = point[0] - centre_[0], y = point[1] - centre_[1];
    if (!scene_.is_in_space()) return {middle_[0] + pixels_ * x, middle_[1] + pixels_ * y};
    const double up = scene_.is_up_reversed() ? -1.0 : 1.0;
    const double z = up * (point[2] - centre_[2]);
    y *= up;
    const double across = std::cos(usual_azimuth) * x + std::sin(usual_azimuth) * y,
                 away = -std::sin(usual_azimuth) * x + std::cos(usual_azimuth) * y;
    return {
        middle_[0] + pixels_ * across,
        middle_[1] + pixels_ * (std::cos(usual_elevation) * z + std::sin(usual_elevation) * away)};
  }
  /// How much a direction points to who looks on.
  double towards(std::span<const double> direction) const {
    const double up = scene_.is_up_reversed() ? -1.0 : 1.0;
    const double away =
        -std::sin(usual_azimuth) * direction[0] + std::cos(usual_azimuth) * up * direction[1];
    return -std::cos(usual_elevation) * away + std::sin(usual_elevation) * up * direction[2];
  }

 private:
  const Scene& scene_;
  MotionBox box_;
  double pixels_ = 1.0;
  Pixel middle_{};
  std::vector<double> centre_;
};

/// A part of the ellipse with half axes u and v about c.
Polyline arc(const MotionView& view, std::span<const double> c, std::span<const double> u,
             std::span<const double> v, double from, double to) {
  constexpr int pieces = 48;
  Polyline line;
  std::vector<double> point(c.size());
  for (int k = 0; k <= pieces; ++k) {
    const double angle = from + (to - from) * k / pieces;
    for (std::size_t i = 0; i < c.size(); ++i)
      point[i] = c[i] + std::cos(angle) * u[i] + std::sin(angle) * v[i];
    line.push_back(view.at(point));
  }
  return line;
}

/// The outline of an ellipsoid, and on its near side the ellipses along its axes.
std::vector<Polyline> ball_lines(const MotionView& view, std::span<const double> own, bool lines) {
  const auto part = [&](std::size_t k) { return own.subspan(3 * k, 3); };
  const Pixel origin = view.at(part(0));
  double xx = 0.0, xy = 0.0, yy = 0.0;
  std::array<double, 3> near{};
  for (std::size_t k = 1; k <= 3; ++k) {
    std::vector<double> tip(3);
    double square = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      tip[i] = own[i] + part(k)[i];
      square += part(k)[i] * part(k)[i];
    }
    const Pixel there = view.at(tip);
    const double x = there[0] - origin[0], y = there[1] - origin[1];
    xx += x * x;
    xy += x * y;
    yy += y * y;
    near[k - 1] = view.towards(part(k)) / square;
  }
  // The square root of the matrix of the outline.
  const double root = std::sqrt(numeric::larger(0.0, xx * yy - xy * xy)),
               norm = std::sqrt(xx + yy + 2.0 * root);
  const double a = (xx + root) / norm, b = xy / norm, e = (yy + root) / norm;
  Polyline outline;
  for (int k = 0; k <= 64; ++k) {
    const double cosine = std::cos(k * std::numbers::pi / 32),
                 sine = std::sin(k * std::numbers::pi / 32);
    outline.push_back({origin[0] + a * cosine + b * sine, origin[1] + b * cosine + e * sine});
  }
  std::vector<Polyline> result{outline};
  if (!lines) return result;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const double start = std::atan2(near[j], near[i]) - 0.5 * std::numbers::pi;
    result.push_back(arc(view, part(0), part(i + 1), part(j + 1), start, start + std::numbers::pi));
  }
  return result;
}

/// The lines of a shape in a frame.
std::vector<Polyline> lines_of(const MotionView& view, const SceneShape& shape,
                               const MotionFrames& frames, std::size_t index, std::size_t d) {
  const std::span<const double> own = frames.at(index).subspan(shape.first, shape.count);
  const auto part = [&](std::size_t k) { return own.subspan(k * d, d); };
  std::vector<Polyline> lines;
  switch (shape.kind) {
    case ShapeKind::line: {
      const std::size_t points = shape.count / d, piece = shape.piece == 0 ? points : shape.piece;
      for (std::size_t k = 0; k < points; ++k) {
        if (k % piece == 0) lines.emplace_back();
        lines.back().push_back(view.at(part(k)));
        if (shape.is_closed && k % piece == piece - 1) lines.back().push_back(lines.back().front());
      }
      break;
    }
    case ShapeKind::circle:
      lines.push_back(arc(view, part(0), part(1), part(2), 0.0, 2.0 * std::numbers::pi));
      for (int k = 0; shape.has_spokes && k < 3; ++k) {
        const double angle = k * 2.0 * std::numbers::pi / 3.0;
        lines.push_back({view.at(part(0)), arc(view, part(0), part(1), part(2), angle, angle)[0]});
      }
      break;
    case ShapeKind::ball:
      lines = ball_lines(view, own, shape.has_spokes);
      break;
    case ShapeKind::point:
      lines.push_back({view.at(own)});
      break;
    case ShapeKind::trail:
      lines.emplace_back();
      for (std::size_t k = 0; k <= index; ++k)
        lines.back().push_back(view.at(frames.at(k).subspan(shape.first, d)));
      break;
  }
  return lines;
}

/// A grid on the plane z = 0.
std::vector<Polyline> ground_lines(const MotionView& view, bool is_in_space) {
  std::vector<Polyline> lines;
  if (!is_in_space) return lines;
  const std::vector<double>& reach = view.box().reach;
  const double largest = numeric::larger(numeric::larger(reach[0], reach[1]), reach[2]);
  const double step = round_number(0.5 * largest);
  const double count = std::ceil(1.4 * numeric::hypot(reach[0], reach[1]) / step);
  const double x = std::round(view.centre()[0] / step), y = std::round(view.centre()[1] / step);
  for (double k = -count; k <= count; k += 1.0) {
    const std::array<double, 3> ends[] = {{(x + k) * step, (y - count) * step, 0.0},
                                          {(x + k) * step, (y + count) * step, 0.0},
                                          {(x - count) * step, (y + k) * step, 0.0},
                                          {(x + count) * step, (y + k) * step, 0.0}};
    lines.push_back({view.at(ends[0]), view.at(ends[1])});
    lines.push_back({view.at(ends[2]), view.at(ends[3])});
  }
  return lines;
}

std::string data_of(const std::vector<Polyline>& lines) {
  std::string text;
  for (const Polyline& line : lines) {
    for (const Pixel& pixel : line) text += fmt::format("{:.1f} {:.1f}\n", pixel[0], pixel[1]);
    text += "\n";
  }
  return text + "e\n";
}

/// What gnuplot draws for a frame.
std::string frame_script(const Scene& scene, const MotionFrames& frames, std::size_t index,
                         MotionView& view) {
  view.look_at(frames.at(index));
  std::string plots = "plot", data;
  const auto add = [&](const std::string& how, const std::vector<Polyline>& lines) {
    plots += (data.empty() ? " " : ", ") + ("'-' " + how);
    data += data_of(lines);
  };
  if (scene.is_in_space()) add("with lines lc rgb '#dedede'", ground_lines(view, true));
  for (const SceneShape& shape : scene.shapes()) {
    const std::string colour = shape.colour.empty() ? "#1b1b1b" : shape.colour;
    const std::vector<Polyline> lines = lines_of(view, shape, frames, index, scene.dimension());
    if (shape.kind == ShapeKind::point) {
      add(fmt::format("with points pt 7 ps {:.2f} lc rgb '{}'", shape.width / 7.0, colour), lines);
      continue;
    }
    if (shape.is_filled)
      add(fmt::format("with filledcurves closed fs transparent solid 0.25 noborder lc rgb '{}'",
                      colour),
          {lines.front()});
    add(fmt::format("with lines lw {:.2f} lc rgb '{}'", 0.8 * shape.width, colour), lines);
  }
  return plots + "\n" + data;
}

/// Which frames are drawn: so many that the time between two is a twentieth of a second.
std::vector<std::size_t> drawn_frames(const MotionFrames& frames, double seconds) {
  const double wanted = std::round(seconds * frames_per_second);
  const auto count = static_cast<std::size_t>(
      numeric::smaller(static_cast<double>(frames.size()), numeric::larger(2.0, wanted)));
  std::vector<std::size_t> drawn;
  for (std::size_t k = 0; k < count; ++k) drawn.push_back(k * (frames.size() - 1) / (count - 1));
  return drawn;
}

/// Puts a comment that this program made it before the end of a picture, which must be whole.
void mark_gif(const std::filesystem::path& path) {
  std::string text = file_text(path);
  if (text.size() < 16 || !text.starts_with("GIF") || text.back() != ';')
    throw OutputError("the picture is not whole (is the disk full?)");
  mark_picture(path);
}

}  // namespace

void check_motion_gif(const std::filesystem::path& path) {
  check_writable(path);
  if (!gnuplot::is_available())
    throw OutputError(
        "pictures need the program gnuplot, which is not on the search path; install gnuplot-nox");
}

void write_motion_gif(const std::filesystem::path& path, const Scene& scene,
                      const MotionFrames& frames, const GifLook& look) {
  check_motion_gif(path);
  const double duration = frames.t.back() - frames.t.front();
  const double seconds = look.seconds > 0.0 ? look.seconds : duration / usual_speed(duration);
  const std::vector<std::size_t> drawn = drawn_frames(frames, seconds);
  const auto delay = static_cast<int>(
      std::lround(100.0 * seconds / static_cast<double>(drawn.size())));  // hundredths of a second
  MotionView view(scene, frames, look);
  OutputFile file(path);
  std::string script = fmt::format(
      "set terminal gif animate delay {} loop 0 size {},{} font ',12' background 'white' optimize\n"
      "set output {}\nunset key\nunset border\nunset tics\nset margins 0,0,0,0\n"
      "set xrange [0:{}]\nset yrange [0:{}]\n",
      std::max<int>(delay, 2), look.width, look.height,
      gnuplot::quoted(file.temporary_path().string()), look.width, look.height);
  for (const std::size_t index : drawn) script += frame_script(scene, frames, index, view);
  gnuplot::run(script + "unset output\n");
  try {
    mark_gif(file.temporary_path());
  } catch (const OutputError& error) {
    throw OutputError("cannot write \"" + path.string() + "\": " + error.what());
  }
  file.commit();
}

}  // namespace dalembert::study
