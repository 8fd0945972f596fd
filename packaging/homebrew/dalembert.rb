# Homebrew's formula, for Linux (doc/installing.md). Its directives are checked by tool/check packaging; it has not been built.
class Dalembert < Formula
  desc "Simulation of mechanical systems with nonholonomic constraints"
  # What is committed in a clone, whose folder stands for CLONE. At publication: homepage, url and sha256 of the source distribution.
  url "file://CLONE", using: :git, branch: "main"
  version "0.2.0"
  license "BSD-3-Clause"

  depends_on "boost" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "eigen" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "tomlplusplus" => :build
  depends_on "fmt"
  depends_on "hdf5"
  # macOS does not compile it yet.
  depends_on :linux

  # Random123, of which headers are needed only, has no formula.
  resource "random123" do
    url "https://github.com/DEShawResearch/random123/archive/refs/tags/v1.14.0.tar.gz"
    sha256 "effafd8656b18030b2a5b995cd3650c51a7c45052e6e1c21e48b9fa7a59d926e"
  end

  def install
    resource("random123").stage buildpath/"random123"
    system "cmake", "-S", ".", "-B", "build/homebrew", "-G", "Ninja",
           "-DCMAKE_UNITY_BUILD=ON",
           "-DDALEMBERT_BUILD_TESTS=OFF",
           "-DDALEMBERT_BUILD_EXAMPLES=OFF",
           "-DDALEMBERT_RANDOM123_INCLUDE_DIR=#{buildpath}/random123/include",
           *std_cmake_args
    system "cmake", "--build", "build/homebrew"
    system "cmake", "--install", "build/homebrew"
  end

  test do
    system bin/"dalembert", "run", "rolling-coin", "--method", "gauss", "--step", "0.05", "--until", "5", "--out", "coin.h5"
    system bin/"dalembert", "resume", "coin.h5", "--until", "6"
  end
end
