// Made by `manage.py make_contract` from scheduler_core/policy. Do not edit.
// biome-ignore-all format: one line for each entry

/** The language of policies as the library has it. */

/** The version of the language. */
export const VERSION = 1;

/** Upper bounds of a policy. */
export const LIMITS = {
  bytes: 4000,
  lines: 60,
  line_characters: 400,
  nesting: 24,
  settings: 12,
  folds: 8,
  instructions: 400,
};

/** The most characters of a name. */
export const LONGEST_NAME = 40;

/** The most terms of a score that are computed one by one. */
export const MOST_TERMS = 12;

/** What the kernel does, by number. */
export const OPS = {
  CONST: 0,
  WORD: 1,
  EACH: 2,
  RANDOM: 3,
  FOLD: 4,
  ADD: 5,
  SUB: 6,
  MUL: 7,
  DIV: 8,
  FLOORDIV: 9,
  MOD: 10,
  POW: 11,
  NEG: 12,
  NOT: 13,
  AND: 14,
  OR: 15,
  LT: 16,
  LE: 17,
  EQ: 18,
  NE: 19,
  SELECT: 20,
  MIN: 21,
  MAX: 22,
};

/** What a value depends on, as bits. */
export const NEEDS = {
  DEMAND: 1,
  PRIORITY: 2,
  JOB: 4,
  QUEUE: 8,
  TASK: 16,
  MACHINE: 32,
  OTHERS: 64,
  STATE: 128,
  NOW: 256,
  VICTIM: 512,
  FOLDED: 1024,
};

/** The objects of words. */
export const OBJECTS = [
  "task",
  "job",
  "queue",
  "machine",
  "rack",
  "cluster",
  "victim",
  "now",
];

/** The hooks, in order. */
export const HOOKS = [
  {"name": "order", "objects": ["task", "job", "queue", "cluster", "now"]},
  {"name": "filter", "objects": ["task", "job", "queue", "machine", "rack", "cluster", "now"]},
  {"name": "score", "objects": ["task", "job", "queue", "machine", "rack", "cluster", "now"]},
  {"name": "preempt", "objects": ["task", "job", "queue", "machine", "rack", "cluster", "now", "victim"]},
  {"name": "victim", "objects": ["task", "job", "queue", "machine", "rack", "cluster", "now", "victim"]},
];

/** The words; the place of each is its number. */
export const WORDS = [
  {"word": "task.cpus", "of": "task", "fixed": true, "needs": 1},
  {"word": "task.memory_gb", "of": "task", "fixed": true, "needs": 1},
  {"word": "task.gpus", "of": "task", "fixed": true, "needs": 1},
  {"word": "task.dominant_share", "of": "task", "fixed": true, "needs": 1},
  {"word": "task.constraints", "of": "task", "fixed": true, "needs": 1},
  {"word": "task.priority", "of": "task", "fixed": true, "needs": 2},
  {"word": "task.number", "of": "task", "fixed": true, "needs": 16},
  {"word": "task.arrival_s", "of": "task", "fixed": true, "needs": 4},
  {"word": "task.estimate_s", "of": "task", "fixed": true, "needs": 4},
  {"word": "task.duration_s", "of": "task", "fixed": true, "needs": 16},
  {"word": "task.wait_s", "of": "task", "fixed": false, "needs": 260},
  {"word": "task.over_share", "of": "task", "fixed": false, "needs": 136},
  {"word": "task.preemptions", "of": "task", "fixed": false, "needs": 144},
  {"word": "job.number", "of": "job", "fixed": true, "needs": 4},
  {"word": "job.tasks", "of": "job", "fixed": true, "needs": 4},
  {"word": "job.arrival_s", "of": "job", "fixed": true, "needs": 4},
  {"word": "job.mean_s", "of": "job", "fixed": true, "needs": 4},
  {"word": "job.work_s", "of": "job", "fixed": true, "needs": 4},
  {"word": "job.tasks_left", "of": "job", "fixed": false, "needs": 132},
  {"word": "job.tasks_running", "of": "job", "fixed": false, "needs": 132},
  {"word": "job.tasks_waiting", "of": "job", "fixed": false, "needs": 132},
  {"word": "job.longest_s", "of": "job", "fixed": true, "needs": 4},
  {"word": "job.work_left", "of": "job", "fixed": false, "needs": 132},
  {"word": "job.dominant_share", "of": "job", "fixed": false, "needs": 132},
  {"word": "queue.number", "of": "queue", "fixed": true, "needs": 8},
  {"word": "queue.share", "of": "queue", "fixed": false, "needs": 136},
  {"word": "queue.used_share", "of": "queue", "fixed": false, "needs": 136},
  {"word": "queue.over_share", "of": "queue", "fixed": false, "needs": 136},
  {"word": "queue.tasks_running", "of": "queue", "fixed": false, "needs": 136},
  {"word": "queue.tasks_waiting", "of": "queue", "fixed": false, "needs": 136},
  {"word": "machine.number", "of": "machine", "fixed": true, "needs": 32},
  {"word": "machine.cpus", "of": "machine", "fixed": true, "needs": 32},
  {"word": "machine.memory_gb", "of": "machine", "fixed": true, "needs": 32},
  {"word": "machine.gpus", "of": "machine", "fixed": true, "needs": 32},
  {"word": "machine.constraints", "of": "machine", "fixed": true, "needs": 32},
  {"word": "machine.free_cpus", "of": "machine", "fixed": false, "needs": 32},
  {"word": "machine.free_memory_gb", "of": "machine", "fixed": false, "needs": 32},
  {"word": "machine.free_gpus", "of": "machine", "fixed": false, "needs": 32},
  {"word": "machine.used", "of": "machine", "fixed": false, "needs": 32},
  {"word": "machine.tasks", "of": "machine", "fixed": false, "needs": 32},
  {"word": "machine.waiting", "of": "machine", "fixed": false, "needs": 32},
  {"word": "machine.left_mean", "of": "machine", "fixed": false, "needs": 33},
  {"word": "machine.left_least", "of": "machine", "fixed": false, "needs": 33},
  {"word": "machine.left_spread", "of": "machine", "fixed": false, "needs": 33},
  {"word": "machine.alignment", "of": "machine", "fixed": false, "needs": 33},
  {"word": "machine.same_job", "of": "machine", "fixed": false, "needs": 164},
  {"word": "machine.has_data", "of": "machine", "fixed": false, "needs": 48},
  {"word": "rack.number", "of": "rack", "fixed": true, "needs": 32},
  {"word": "rack.machines", "of": "rack", "fixed": true, "needs": 32},
  {"word": "rack.tasks", "of": "rack", "fixed": false, "needs": 96},
  {"word": "rack.has_data", "of": "rack", "fixed": false, "needs": 48},
  {"word": "cluster.machines", "of": "cluster", "fixed": true, "needs": 0},
  {"word": "cluster.cpus", "of": "cluster", "fixed": true, "needs": 0},
  {"word": "cluster.memory_gb", "of": "cluster", "fixed": true, "needs": 0},
  {"word": "cluster.gpus", "of": "cluster", "fixed": true, "needs": 0},
  {"word": "cluster.used_cpus", "of": "cluster", "fixed": false, "needs": 128},
  {"word": "cluster.tasks_running", "of": "cluster", "fixed": false, "needs": 128},
  {"word": "cluster.tasks_waiting", "of": "cluster", "fixed": false, "needs": 128},
  {"word": "victim.cpus", "of": "victim", "fixed": true, "needs": 544},
  {"word": "victim.memory_gb", "of": "victim", "fixed": true, "needs": 544},
  {"word": "victim.gpus", "of": "victim", "fixed": true, "needs": 544},
  {"word": "victim.priority", "of": "victim", "fixed": true, "needs": 544},
  {"word": "victim.estimate_s", "of": "victim", "fixed": true, "needs": 544},
  {"word": "victim.duration_s", "of": "victim", "fixed": true, "needs": 544},
  {"word": "victim.ran_s", "of": "victim", "fixed": false, "needs": 544},
  {"word": "victim.left_s", "of": "victim", "fixed": false, "needs": 544},
  {"word": "victim.preemptions", "of": "victim", "fixed": false, "needs": 544},
  {"word": "now", "of": "now", "fixed": false, "needs": 256},
];

/** Plain names that stand for a word. */
export const ALIASES = {
  same_job_here: "machine.same_job",
};

/** The functions, with the fewest and most arguments; `op` is that of a function of one argument. */
export const FUNCTIONS = [
  {"name": "min", "least": 2, "most": 8, "op": null},
  {"name": "max", "least": 2, "most": 8, "op": null},
  {"name": "abs", "least": 1, "most": 1, "op": 23},
  {"name": "sqrt", "least": 1, "most": 1, "op": 24},
  {"name": "log", "least": 1, "most": 1, "op": 25},
  {"name": "exp", "least": 1, "most": 1, "op": 26},
  {"name": "floor", "least": 1, "most": 1, "op": 27},
  {"name": "ceil", "least": 1, "most": 1, "op": 28},
  {"name": "clip", "least": 3, "most": 3, "op": null},
  {"name": "random", "least": 0, "most": 0, "op": null},
];

/** The kinds of folds. */
export const FOLDS = {
  count: 0,
  sum: 1,
  mean: 2,
  min: 3,
  max: 4,
};

/** What a fold goes over. */
export const FOLDED = {
  rack: 0,
  cluster: 1,
};

/** Names that Python keeps for itself. */
export const KEYWORDS = {
  False: true,
  None: true,
  True: true,
  and: true,
  as: true,
  assert: true,
  async: true,
  await: true,
  break: true,
  class: true,
  continue: true,
  def: true,
  del: true,
  elif: true,
  else: true,
  except: true,
  finally: true,
  for: true,
  from: true,
  global: true,
  if: true,
  import: true,
  in: true,
  is: true,
  lambda: true,
  nonlocal: true,
  not: true,
  or: true,
  pass: true,
  raise: true,
  return: true,
  try: true,
  while: true,
  with: true,
  yield: true,
};

/** Names of numbers. */
export const TRUTHS = {
  True: 1,
  False: 0,
};

/** Parameters of the scheduler, whose names no setting may have. */
export const RESERVED = [
  "input_gb",
  "unsized_data",
  "rack_gb_s",
  "core_gb_s",
  "interference",
  "kinds",
  "estimate_error",
  "estimate_error_percent",
  "estimate_error_sigma",
  "policy",
  "schedulers",
  "news",
  "heartbeat_s",
  "sample",
  "wait_at",
  "overtake",
  "decision_us",
  "tick_s",
  "preemption_limit",
  "step_limit",
];
