"""``python -m yinji`` is the command line."""

import sys

from yinji.interfaces.cli import main

sys.exit(main())
