import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const root = new URL("../../static/vendor/", import.meta.url);

test("third-party files are the ones that README.md lists", () => {
  const listed = Object.fromEntries(
    [...readFileSync(new URL("README.md", root), "utf8").matchAll(/^\| (\S+) \| ([0-9a-f]{64}) \|$/gm)].map(
      ([, name, sum]) => [name, sum],
    ),
  );
  const present = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    // Declarations of types are this project's own.
    (entry) => entry.isFile() && entry.name !== "README.md" && !/\.d\.m?ts$/.test(entry.name),
  );
  const found = {};
  for (const entry of present) {
    const name = `${entry.parentPath ?? entry.path}/${entry.name}`.split("/static/vendor/")[1].replaceAll("//", "/");
    found[name] = createHash("sha256")
      .update(readFileSync(new URL(name, root)))
      .digest("hex");
  }
  assert.deepEqual(found, listed);
});
