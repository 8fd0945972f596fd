"""The program `dalembert`: `python -m dalembert`, and the command that pip installs."""
import signal
import sys

from . import _core


def main() -> int:
    # As in a program of its own: what it does not handle itself ends it.
    for ending in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(ending, signal.SIG_DFL)
    return _core.program(["dalembert", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
