import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { packed } from "../../static/js/features/traces/packing.js";

test("a large text is sent in gzip, a small one as it is", async () => {
  const small = new Blob(["a"]);
  assert.equal(await packed(small), small);
  const text = '{"kind":"Pod"}\n'.repeat(20_000);
  const sent = await packed(new Blob([text]));
  assert.ok(sent.size < text.length / 20);
  assert.equal(gunzipSync(Buffer.from(await sent.arrayBuffer())).toString(), text);
});
