from __future__ import annotations

import sys

from bench.knobs.main import main

sys.exit(main())
