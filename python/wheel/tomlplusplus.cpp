// The compiled part of toml++, for modules that have all they need inside.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
