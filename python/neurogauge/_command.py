"""The command ``neurogauge``."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

from . import _neurogauge


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code: 0 for success, 1 for a fault of the data, 2 of the command line,
    3 of ours.

    Args:
        arguments: the arguments after ``neurogauge``; the process's arguments if not given.
    """
    # Ctrl-C ends the program like any other; there is no code that could catch an exception.
    is_program = arguments is None
    if is_program:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    arguments = sys.argv[1:] if arguments is None else arguments
    return _neurogauge.run_command(["neurogauge", *arguments], is_program)


if __name__ == "__main__":
    sys.exit(main())
