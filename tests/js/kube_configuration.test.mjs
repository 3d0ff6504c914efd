/** A KubeSchedulerConfiguration is known by its kind, and sets the parameters that it has. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  hasConfiguration,
  isConfiguration,
  withConfiguration,
} from "../../static/js/features/traces/kube_configuration.js";

test("a file is known by its kind, in YAML and in JSON, and a pod that names it in a value is none", async () => {
  const is = (text) => isConfiguration(new File([text], "a"));
  assert.ok(await is("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"));
  assert.ok(await is('{"kind":"KubeSchedulerConfiguration"}'));
  assert.ok(!(await is("kind: Pod\nmetadata: {name: KubeSchedulerConfiguration}\n")));
  assert.ok(!(await is("kind: KubeSchedulerConfigurationList\n")));
});

test("parameters that a configuration lacks stay where the scheduler stays", () => {
  const read = { name: "a", params: { fit_weight: 5 } };
  const own = (name) => ({ scheduler: { name, params: { fit_weight: 1, grace_s: 7 } } });
  assert.deepEqual(withConfiguration(own("a"), read), { name: "a", params: { fit_weight: 5, grace_s: 7 } });
  assert.deepEqual(withConfiguration(own("b"), read), { name: "a", params: { fit_weight: 5 } });
});

test("a scheduler without such parameters has no export", () => {
  const scheduler = (...names) => ({ params: { properties: Object.fromEntries(names.map((name) => [name, {}])) } });
  assert.ok(hasConfiguration(scheduler("scoring_strategy", "percentage", "fit_weight", "shape")));
  assert.ok(!hasConfiguration(scheduler("percentage")));
  assert.ok(!hasConfiguration(undefined));
});
