// The page's compiler of policies, in node: one line of JSON for each policy on the standard input, `null` for no policy.
import { createInterface } from "node:readline";
import { compilePolicy } from "../../static/js/engine/policy/program.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { text, reserved, limits } = JSON.parse(line);
  console.log(JSON.stringify(compilePolicy(text, reserved, limits)));
}
