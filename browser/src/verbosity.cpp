#include "app/terminal/verbosity.hpp"

namespace dalembert::app {

// A page is no terminal.
std::size_t terminal_width() { return 0; }

}  // namespace dalembert::app
