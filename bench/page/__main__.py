from __future__ import annotations

import sys

from bench.page.main import main

sys.exit(main())
