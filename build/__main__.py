"""`python -m build`."""

from build.cli import main

raise SystemExit(main())
