from __future__ import annotations

import sys

from bench.main import main

sys.exit(main())
