import assert from "node:assert/strict";
import { test } from "node:test";

import { heldAddress } from "../../static/js/kit/held.js";

test("a removed experiment's link offers the experiment that it holds, and nothing else", () => {
  assert.equal(heldAddress("#x2.eJyr-_1"), "/studio#x2.eJyr-_1");
  for (const hash of ["", "#t=12", "#x2.", "#x2.<script>", "#javascript:alert(1)"]) assert.equal(heldAddress(hash), "");
});
