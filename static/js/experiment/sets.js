/**
 * Parameters that stand for a set of others: choosing one writes them all, and editing one of the set clears the
 * choice.
 */

/** @import { Experiment } from "./experiment.js" */

/**
 * Return how to write a parameter that names sets (`sets`: {choice: {parameter: value}}, `otherwise`: the choice for no
 * set) or belongs to one; undefined for other parameters.
 * @param {Record<string, import("../contract/api.js").Field>} fields  the schema's properties
 * @param {string} name
 */
export function writerOf(fields, name) {
  const own = fields[name]?.sets;
  if (own)
    return (/** @type {Experiment} */ experiment, /** @type {unknown} */ value) =>
      write(experiment, { ...(value === undefined ? blank(own) : own[String(value)]), [name]: value });
  const [setter, field] =
    Object.entries(fields).find(([, each]) => each.sets && Object.values(each.sets).some((set) => name in set)) ?? [];
  if (setter === undefined || field === undefined) return undefined;
  return (/** @type {Experiment} */ experiment, /** @type {unknown} */ value) =>
    write(experiment, { [name]: value, [setter]: field.otherwise });
}

/**
 * Return every parameter of the sets as undefined, which restores the defaults.
 * @param {Record<string, Record<string, unknown>>} sets
 */
function blank(sets) {
  return Object.fromEntries(Object.values(sets).flatMap((set) => Object.keys(set).map((name) => [name, undefined])));
}

function write(/** @type {Experiment} */ experiment, /** @type {Record<string, unknown>} */ values) {
  const copy = structuredClone(experiment);
  const params = { ...copy.scheduler?.params, ...values };
  for (const name of Object.keys(params)) if (params[name] === undefined) delete params[name];
  copy.scheduler = { ...copy.scheduler, params };
  return copy;
}
