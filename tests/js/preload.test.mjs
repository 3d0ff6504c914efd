import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const root = new URL("../../static/", import.meta.url);

/** Every module that a page's script imports, directly or not, itself included. */
function modulesOf(entry) {
  const seen = new Set();
  const visit = (url) => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    for (const [, path] of readFileSync(url, "utf8").matchAll(/(?:from|import)\s+"(\.[^"]+)"/g)) visit(new URL(path, url));
  };
  visit(new URL(entry, root));
  return [...seen].map((href) => href.slice(root.href.length)).sort();
}

for (const page of ["landing", "studio", "embed", "experiments", "trace"]) {
  test(`the ${page} page names all its modules, so that none waits for another`, () => {
    const listed = [...readFileSync(new URL(`../templates/parts/preload_${page}.html`, root), "utf8").matchAll(/static '([^']+)'/g)].map(([, path]) => path);
    assert.deepEqual(listed, modulesOf(`js/pages/${page}.js`));
  });
}
