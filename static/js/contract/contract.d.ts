// Made by `manage.py make_contract` from scheduler_core/contract and playground/contract. Do not edit.
// biome-ignore-all lint/suspicious/noExplicitAny: parts of an experiment have types of their own

/** The question that everybody sees. */
export interface AskedQuestion {
  /** The number of the question in the class, counted from 1. */
  number: number;
  /** What a student gives: one of the options, a number, a number at each place of an axis, or a machine or task. */
  kind: "choice" | "number" | "curve" | "point";
  /** The question in words. */
  text: string;
  /** `ready` (only the teacher sees it), `open` (takes answers), `closed`, or `revealed` (with its result). */
  state: "ready" | "open" | "closed" | "revealed";
  /** How many students have answered. */
  answered: number;
  /** The options of a choice. Otherwise empty. */
  options: string[];
  /** The measured number in words; empty for a machine or a task. */
  measure: string;
  /** The unit of the measured number: `s`, `1` (a fraction) or nothing (a count). */
  unit: string;
  /** The low end of the scale of numbers and curves. */
  low: number;
  /** The high end of the scale of numbers and curves. */
  high: number;
  /** Whether the scale is logarithmic. */
  log: boolean;
  /** The parameter that varies in a curve, in words. Otherwise empty. */
  axis: string;
  /** The places of a curve. Otherwise empty. */
  at: number[];
  /** What students point at in a question of the kind `point`. */
  target: "machine" | "task";
  /** For a machine or a task: the instant at which the run stands. */
  at_s: number | null;
  /** The experiment that it is about. */
  shown: ClassShown | null;
  /** Only once the teacher has revealed it. */
  result: QuestionResult | null;
}

/** The one scheduler that places the tasks of long jobs, where short jobs have schedulers of their own. */
export interface CentralMeta {
  /** The name that people read. */
  label: string;
  /** What it means, in a sentence or two. */
  help: string;
}

/** The machines of a layer that changed since the frame before. */
export interface ChangedLayer {
  /** The machines' numbers, as little-endian 32-bit integers without sign. */
  idx: Uint8Array;
  /** One byte per machine in `idx`. */
  val: Uint8Array;
}

/** What a part of every machine's score is for. */
export interface ChoicePart {
  /** The name that people read. */
  label: string;
  /** 2 bytes for each decision and machine: ten times the points of 0 to 100. */
  tenths: Uint8Array;
}

/** The challenge of the arena that a class plays. */
export interface ClassChallenge {
  /** The id of the challenge. */
  id: string;
  /** The title of the challenge. */
  title: string;
  /** What a winner has to find, in one sentence; may be empty. */
  question: string;
  /** The page where students enter; its board is the class's own. */
  url: string;
  /** Whether the teacher has closed the class's board: it takes no more entries. */
  closed: boolean;
}

/** What a student's own device computed from the class's start with the student's values. */
export interface ClassComputed {
  /** The value of each open parameter, by the parameter's path. One that is left out has the teacher's value. */
  values: Record<string, number | string | boolean>;
  /** The digest of the start (`explore.start.digest` in the news). */
  start: string;
  /** The digest of the outcome. */
  digest: string;
  /** A number or null for each measure, by the names of measures. */
  figures: Record<string, number | null>;
}

/** What students may change, and the axes on which the teacher sees all of them. */
export interface ClassExplore {
  /** The parameters that students may change. */
  knobs: ClassKnob[];
  /** The measured numbers that an axis may have. */
  measures: ClassMeasure[];
  /** The horizontal axis of the wall: the path of a parameter, or the name of a measured number. */
  x: string;
  /** The vertical axis of the wall: the path of a parameter, or the name of a measured number. */
  y: string;
  /** The numbers of the teacher's experiment, by the names of measures; null while they are computed. */
  base: Record<string, number | null> | null;
  /**
   * Between which two numbers 95 of 100 runs of the teacher's experiment are expected under other seeds, by measure.
   *
   * Estimated from a few seeds by Student's t. A measure is left out while it is computed, and where it cannot be told.
   */
  noise: Record<string, number[]>;
  /** The number of tasks after which previews end; null if they cover the whole run. */
  reduced: number | null;
  /** What phones simulate by themselves; null where the server computes all forks. */
  start: ClassStart | null;
  /** The student's run that the projector shows; null for the wall. */
  spot: ClassShown | null;
  /** The parameters of that run. */
  spot_values: ClassValue[];
}

/** The figures of short jobs, or of long ones. */
export interface ClassFigures {
  /** The number of jobs of the class. */
  jobs: number;
  /** From the arrival of a job of the class until its last task ends. */
  job_completion_s: Times;
  /** The completion time minus the ideal one, for jobs of the class. */
  job_delay_s: Times;
}

/** A parameter that students may change. */
export interface ClassKnob {
  /** Where it is in the experiment. */
  path: string;
  /** What people call the parameter. */
  label: string;
  /** What the parameter means, in sentences; may be empty. */
  help: string;
  /** The unit, such as `s`; `share` for a fraction; empty for a number without a unit. */
  unit: string;
  /** What a student chooses: a number, a whole number, one of `choices`, or true or false. */
  kind: "number" | "integer" | "choice" | "switch";
  /** The least number that is allowed; null for a choice or a switch. */
  least: number | null;
  /** The greatest number that is allowed; null for a choice or a switch. */
  most: number | null;
  /** The values of a choice. Otherwise empty. */
  choices: (number | string | boolean)[];
  /** What people call the choices, in their order. */
  names: string[];
  /** What the teacher's experiment has. */
  value: number | string | boolean;
}

/** A measured number that an axis may have. */
export interface ClassMeasure {
  /** The name of the number in a summary, such as `allocation_delay_s.p99`. */
  name: string;
  /** The number in words. */
  label: string;
  /** The unit: `s`, `1` (a fraction), or empty for a count. */
  unit: string;
}

/** How a class stands. */
export interface ClassNews {
  /** What students do now: follow the picture, answer a question, change parameters, or enter a challenge. */
  mode: "follow" | "ask" | "explore" | "compete";
  /** The number of students who have joined. */
  people: number;
  /** The number of students whose browsers are in the class now. */
  here: number;
  /** Whether the class admits no new students. */
  locked: boolean;
  /** The names of students, while the teacher shows them. Otherwise empty. */
  names: string[];
  /** What the step of the lesson says. Empty without one, and while a question is asked. */
  text: string;
  /** The run that the class looks at; null before the teacher shows one. */
  shown: ClassShown | null;
  /** The question that everybody sees; null unless the class is asked one. */
  question: AskedQuestion | null;
  /** Only while the class explores. */
  explore: ClassExplore | null;
  /** Only while the class plays one. */
  challenge: ClassChallenge | null;
}

/** A class has news. The receiver reads them from the database. */
export interface ClassNotice {
  /** Names this kind of notice. */
  type: "class.news";
}

/** The fork of a student is not stored. The connection stays. */
export interface ClassRefused {
  /** Why, as `PUT /api/v1/classes/{id}/fork/computed` says it. */
  refused: HttpProblem;
}

/** What a member of a class says. A message has one of these keys. */
export interface ClassRequest {
  /** The token of the class or of a student, as the first message: if the browser's session does not say who it is. */
  token?: string;
  /** A student's fork. The answer is `stored` or `refused`; answers come in the order of the forks. */
  fork?: ClassComputed;
}

/** The run that a class looks at. */
export interface ClassShown {
  /** The id of the experiment. */
  experiment: string;
  /** The slug of the experiment: its presentation is followed. */
  slug: string;
  /** The id of the run. */
  run: string;
  /** Where the run stands at first; null for its beginning. */
  at_s: number | null;
  /** The layer of the map; empty for the usual one. */
  layer: string;
  /** What the step's text speaks of, by the names that tours have; absent where it names none. */
  marks?: string[];
  /** The machine around which the map shows a part of the datacenter; absent where the step names none. */
  near?: number;
}

export type ClassSocket = ClassNews | ClassStored | ClassRefused | SocketError;

/** The packed start of the teacher's experiment, from which a phone simulates its own fork. */
export interface ClassStart {
  /** The digest of the file, sha256. */
  digest: string;
  /** Where the file is; it never changes. */
  url: string;
  /** The module of the event loop, at `/api/v1/engine/{module}`. */
  module: string;
  /** How much memory the arrays of the run take. */
  memory_bytes: number;
  /** A fork ends when this many tasks are over. */
  tasks: number;
  /** The share of each queue. */
  shares: number[];
  /** Tasks and jobs that arrive earlier, in simulated seconds, are part of no wait and of no completion time. */
  warmup_s: number;
}

/** The fork of a student is stored. */
export interface ClassStored {
  /** The digest of its outcome. */
  stored: string;
}

/** The value of a parameter. */
export interface ClassValue {
  /** Where the parameter is in the experiment. */
  path: string;
  /** Its value. */
  value: number | string | boolean;
}

/** One cluster. The machines of a cluster have consecutive numbers. */
export interface ClusterMeta {
  /** The name, as in the experiment. */
  name: string;
  /** The first machine. */
  first: number;
  /** The number of machines. */
  machines: number;
  /** The number of machines of each rack, in order. */
  racks: number[];
  /** The partitions, in order. A scheduler without partitions has one per cluster, of owner 255. */
  partitions: PartitionMeta[];
}

/** How far the compilation of a scheduler is. */
export interface CompiledFunctions {
  /** The number of functions that are compiled. */
  done: number;
  /** The number of functions that the run is known to need. */
  known: number;
}

/** Waits by constraint and by time of arrival. A task that asks for several constraints counts with each. */
export interface ConstraintWaits {
  /** The time at which the first span of arrivals begins, in seconds. */
  from_s: number;
  /** The length of a span in seconds. */
  every_s: number;
  /** Tasks without constraints first, then the constraints that tasks ask for, in the catalogue's order. */
  rows: WaitsByConstraint[];
}

/** A number that only grows during a run. */
export interface CounterMeta {
  /** The key of the counter in frames. */
  name: string;
  /** The name that people read. */
  label: string;
  /** What it means, in a sentence or two. */
  help: string;
}

/** A row of `decisions.parquet` in a recording. -1 stands for none. */
export interface DecisionRow {
  /** The simulated time in nanoseconds. */
  t_ns: number;
  /** The number of the task. */
  task: number;
  /** The number of the machine. */
  machine: number;
  /** The code of a reason in meta. */
  reason: number;
  /** The number of the sender, where the reason names one. */
  frm: number;
  /** The number of the receiver, where the reason names one. */
  to: number;
  /** How many times in a row. */
  count: number;
  /** A number for the reason's sentence: the template in meta says what it is. */
  x: number;
  /** A number for the reason's sentence: the template in meta says what it is. */
  y: number;
}

/** The parts of the queueing delay. For each task, they add up to the delay. */
export interface DelayParts {
  /** The wait in queues of schedulers and masters. */
  framework_queuing: TaskTimes;
  /** The time that schedulers and masters work on the task. */
  processing: TaskTimes;
  /** The time of messages on their way. */
  communication: TaskTimes;
  /** The wait in the queue of a worker. */
  worker_queuing: TaskTimes;
}

/**
 * A summary of a track at some instants of a run, as one MessagePack map.
 *
 * Columns are integers of 4 bytes, stored as four runs of bytes, lowest byte first. Instants are the slowest index.
 */
export interface Density {
  /** The version of the format. */
  v: 1;
  /** The number of instants, which are those of the recording's frames. */
  count: number;
  /** The instants, in units of `unit_ns`. */
  times: Uint8Array;
  /** How many nanoseconds one unit of time is. */
  unit_ns: number;
  /** The number of keepers, as in a track. */
  keepers: number;
  /** The number of keepers that have a count of their own (a shelf), at most 8. The last shelf counts all others. */
  shelves: number;
  /** The number of places, at most 8. A place is a group of clusters; all places have about as many clusters. */
  places: number;
  /** By instant and shelf: tasks that have arrived, do not run, and are in no machine's queue. */
  waiting: Uint8Array;
  /** By instant: tasks in the queues of machines. */
  machines: Uint8Array;
  /** By instant and shelf: tasks that arrived since the instant before. */
  arrived: Uint8Array;
  /** By instant, shelf and place: tasks that started since the instant before. */
  started: Uint8Array;
  /** The number of spans of `waits`. */
  spans: number;
  /** The length of a span, in nanoseconds. */
  span_ns: number;
  /** Where tasks waited: all of them, and those of each queue and class, as in `waits` of the summary. */
  waits: DensityWaits[];
}

/** Where tasks waited before their first start, over time. Spans are of equal length and cover the run. */
export interface DensityWaits {
  /** Which tasks: `all`, those of a `queue`, or those of a `class` of jobs. */
  kind: "all" | "queue" | "class";
  /** The name of the queue; `short` or `long`; empty for all tasks. */
  name: string;
  /**
   * For each part of a wait (`framework`, `processing`, `communication`, `worker`) and each span the mean number of
   * tasks in it, times 16: 4 bytes each, stored like the columns of a track.
   */
  parts: Uint8Array;
}

/** A distribution of factors without a unit; null where no job completed. */
export interface Factors {
  /** The arithmetic mean. */
  mean: number | null;
  /** The median: half of the values are at most this. */
  p50: number | null;
  /** 75 % of the values are at most this. */
  p75: number | null;
  /** 95 % of the values are at most this. */
  p95: number | null;
}

/** A distribution of factors, and the part of the jobs above 1.1; null where no job completed. */
export interface FairSlowdown {
  /** The arithmetic mean. */
  mean: number | null;
  /** The median: half of the values are at most this. */
  p50: number | null;
  /** 75 % of the values are at most this. */
  p75: number | null;
  /** 95 % of the values are at most this. */
  p95: number | null;
  /** The fraction of the jobs whose factor is above 1.1. */
  "above_1.1": number | null;
}

/** Jain's index in windows of time: 1 if every queue has exactly its share. */
export interface Fairness {
  /** The mean over all windows of Jain's index: 1 if all are treated alike. */
  jain_mean: number;
  /** The least Jain's index of a window. */
  jain_min: number;
  /** The greatest Jain's index of a window. */
  jain_max: number;
  /** The length of a window in seconds. */
  window_s: number;
}

/** The largest amount of a resource that was free on one machine of a type, in whole units. */
export interface Fit {
  /** The mean over all instants. */
  mean: number;
  /** The smallest value at any instant. */
  least: number;
  /** The value at the end of the run. */
  end: number;
}

/**
 * What changed since the frame before. A key frame is complete and needs nothing before it.
 *
 * A merged frame covers all of `from_seq` to `seq`, so exactly one frame covers every number.
 */
export interface Frame {
  /** The version of the format. */
  v: 1;
  /** The number of the last frame that this one covers. */
  seq: number;
  /** The number of the first frame that this one covers. */
  from_seq: number;
  /** The simulated time in nanoseconds. */
  t_ns: number;
  /** Whether the frame is complete. Earlier points of series and earlier marks are never repeated. */
  key: boolean;
  /** What the run was doing when the frame was made. */
  state: "running" | "done";
  /** The counters' values at `t_ns`, by the names in meta. */
  counters: Record<string, number>;
  /** The layers that changed, by the names in meta. */
  layers: Record<string, FullLayer | ChangedLayer>;
  /** The histograms, by the names in meta. */
  hist: Record<string, HistogramChange>;
  /** The new points of each series, by the names in meta. */
  series: Record<string, [number, number][]>;
  /** What happened since the frame before, thinned out evenly where there is much of it. */
  marks: [number, string, number, number][];
  /** In the last frame only: the summary of the run. */
  end?: Summary;
}

/** A layer with every machine. */
export interface FullLayer {
  /** One byte per machine. */
  full: Uint8Array;
}

/** What started tasks read, in GB. */
export interface GigabytesRead {
  /** Data that tasks read from their own machine. */
  local: number;
  /** Data that tasks read from other machines of their rack. */
  in_rack: number;
  /** Data that tasks read from other racks. */
  remote: number;
}

/** Figures of jobs that are graphs of stages. */
export interface GraphFigures {
  /** Jain's index of the jobs' dominant shares. */
  fairness_of_jobs: Fairness;
  /** From arrival until the last task of a job ends. */
  job_completion_s: TailTimes;
  /** The completion time divided by the job's critical path. */
  slowdown: Factors;
  /** The completion time divided by the time that the job takes alone on its fair share. */
  fair_share_slowdown: FairSlowdown;
  /** The fraction of their shares that jobs left over; only under schedulers that let others use it. */
  leftover?: Leftover;
  /** Pearson's correlation of what a job left with each property of its graph. */
  leftover_correlation?: Record<string, number>;
}

/** The tasks of one queue or of one priority. */
export interface GroupFigures {
  /** The tasks that had arrived when the run ended, those that ran before it began included. */
  tasks: number;
  /** The tasks that arrived after the warm-up and started in the run. */
  started: number;
  /** The tasks that had arrived and held no machine when the run ended. */
  pending: number;
  /** The tasks that a preemption or a failure of their machine stopped at least once. */
  stopped: number;
  /** From arrival until the first start, over the tasks that started. */
  allocation_delay_s: Times;
}

/** Runs of machines that each have a master of their own. */
export interface GroupsMeta {
  /** What one group is called. */
  label: string;
  /** What a group is. */
  help: string;
  /** The first machine of each group. A group ends where the next one begins. */
  first: number[];
}

/** The bins of a histogram that changed. Values are totals since the start of the run. */
export interface HistogramChange {
  /** The lower bound of each bin in nanoseconds, in key frames only. */
  edges?: number[];
  /** The numbers of the bins. */
  idx: number[];
  /** How many values each bin in `idx` has. */
  val: number[];
}

/** A histogram that frames carry. */
export interface HistogramMeta {
  /** The key of the histogram in frames. */
  name: string;
  /** The name that people read. */
  label: string;
  /** The unit of the values: `ns`. */
  unit: string;
}

/** The body of every HTTP error, of the type `application/problem+json`. */
export interface HttpProblem {
  /** A stable name of the kind of error, for programs. */
  type: string;
  /** What is wrong, in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** Everything that is wrong, field by field; may be empty. */
  problems: ProblemItem[];
}

/** Figures by class, where the scheduler has a cutoff. */
export interface JobClasses {
  /** Jobs whose mean task duration is at most the cutoff. */
  short: ClassFigures;
  /** The other jobs. */
  long: ClassFigures;
}

/** The number of jobs. */
export interface JobCounts {
  /** All jobs of the workload. */
  total: number;
  /** The jobs whose tasks have all ended. */
  completed: number;
}

/** Who keeps tasks before the choice of a machine. */
export interface KeeperMeta {
  /**
   * Who keeps tasks until a machine is chosen.
   *
   * - `queue`: the queue of their job, by its number.
   * - `owner`: the owner of that queue, such as a Global Master.
   * - `scheduler`, `group`: one of several schedulers, or the master of a group of machines.
   * - `job`: nobody; each job has a scheduler of its own, which sends everything at once.
   */
  role: "queue" | "owner" | "scheduler" | "group" | "job";
  /** What one of them is called. */
  label: string;
  /** What it means, in a sentence or two. */
  help: string;
  /** The one scheduler of long jobs; absent without one. */
  central?: CentralMeta;
}

/** One layer of the map: a byte per machine. */
export interface LayerMeta {
  /** The key of the layer in frames. */
  name: string;
  /** The name that people read. */
  label: string;
  /** `category`: a byte is an index, 255 stands for none. `level`: a byte goes from 0 (empty) to 255 (full). */
  kind: "category" | "level";
  /** What the layer shows, in a sentence. */
  help: string;
  /** What a level counts. Empty for a share of the machine. */
  unit: string;
  /** How many units 255 stands for, or more. 0 for a share. */
  full: number;
  /** Whether the layer never changes during a run. */
  fixed: boolean;
  /** Whether the layer may change on machines where nothing else does. */
  whole: boolean;
  /**
   * What the layer does in the picture of all layers together. One layer at most has each role, but for `resource`.
   *
   * - `owner`: the hue of a machine, by the number of the owner.
   * - `load`: the depth of the shade.
   * - `lent`: the fraction of a machine that owners other than its own hold, drawn as hatching.
   * - `borrower`: the hue of the hatching, by the number of the owner who borrowed.
   * - `service`: 0 in service, about half draining, 255 failed.
   * - `resource`: how much of one resource is in use.
   * - `backlog`: the tasks that wait at the machine. It deepens the shade of full machines and is written on cells.
   * - `group_backlog`: the tasks that wait at the master of the machine's group, written beside the group's name.
   * - `pattern`: machines with it are striped.
   * - `reserved`: machines with it are framed.
   */
  role:
    | ""
    | "owner"
    | "load"
    | "lent"
    | "borrower"
    | "service"
    | "resource"
    | "backlog"
    | "group_backlog"
    | "pattern"
    | "reserved";
  /** For the role `pattern`: what busy machines without the stripes have. */
  plain: string;
}

/** What jobs left of their shares, for others to use. */
export interface Leftover {
  /** The number of decisions. If it is 0, all other figures are absent. */
  decisions: number;
  /** The mean over all decisions. */
  mean?: number;
  /** At a quarter of the decisions at most this part was left. */
  p25?: number;
  /** At half of the decisions at most this part was left. */
  p50?: number;
  /** At three quarters of the decisions at most this part was left. */
  p75?: number;
  /** The fraction left of each resource, by its name. The other figures are means over all resources. */
  by_resource?: Record<string, LeftoverShares>;
}

/** The fraction of the shares that jobs left over at a decision, 0 to 1; percentiles in steps of 0.01. */
export interface LeftoverShares {
  /** The mean over all decisions. */
  mean: number;
  /** At a quarter of the decisions at most this part was left. */
  p25: number;
  /** At half of the decisions at most this part was left. */
  p50: number;
  /** At three quarters of the decisions at most this part was left. */
  p75: number;
}

/** A stretch of a task's wait. Legs follow each other from the task's arrival to its first start. */
export interface LegMeta {
  /** A part of a task's delay, as in its row of the table of tasks. */
  part: "framework" | "processing" | "communication" | "worker";
  /** Where that part is spent: with its keeper, on the way, or in the queue of a machine. */
  place: "queue" | "way" | "worker";
  /** The fraction of the part that is spent here. */
  fraction: number;
}

/** A kind of flash on the map. */
export interface MarkMeta {
  /** The kind, as in the marks of a frame. */
  kind: string;
  /** The name that people read. */
  label: string;
  /** What it means, in a sentence or two. */
  help: string;
  /** Whether it happens all the time. Such flashes are small, and playback does not step through them. */
  quiet: boolean;
  /** Whether it concerns the whole datacenter: no machine flashes. */
  whole: boolean;
  /**
   * What the flash means; flashes of a role look alike under every scheduler. Marks without a role take the other
   * shapes in turn.
   *
   * - `refusal`: a machine refused a task or a request.
   * - `preemption`: a task lost its machine to another one.
   * - `fault`: a task lost its machine because the machine failed.
   * - `repartition`: a machine works for another owner.
   */
  role: "" | "refusal" | "preemption" | "fault" | "repartition";
}

/** What a viewer needs to know about a run once, before any frame. A recording keeps it as `meta.json`. */
export interface Meta {
  /** The format of this object. */
  format: 3;
  /** The version of the library that wrote this object. */
  core_version: string;
  /** The experiment with its defaults expanded (its JSON Schema is `/api/v1/schema`). */
  experiment: Record<string, any>;
  /** The sha256 of the canonical experiment. */
  experiment_digest: string;
  /** The seed of the run. */
  seed: number;
  /** The scheduler of the run. */
  scheduler: SchedulerMeta;
  /** The number of machines of the datacenter. */
  machines: number;
  /** The names of the resources, in the order of `capacity`. */
  resources: string[];
  /** The total of each resource. */
  capacity: number[];
  /** The clusters, in the order of their machines. */
  clusters: ClusterMeta[];
  /** Whether the recording has tables of jobs as graphs of stages. */
  graphs: boolean;
  /** Whether each round solves a flow network that can be shown. */
  network: boolean;
  /** Whether the protocol's messages can be listed one by one. */
  messages: boolean;
  /** Why messages cannot be listed, in a sentence; empty where they can. */
  no_messages: string;
  /** Groups of parameters that can be set during the run; empty without any. */
  policies: PolicyMeta[];
  /** The names of the owners of partitions, by number; empty without partitions. */
  owners: string[];
  /** The queues of jobs, by number: those of the experiment, or else one for each Global Master. */
  queues: QueueMeta[];
  /** The groups of machines that each have a master; null without groups. */
  groups: GroupsMeta | null;
  /** The pictures of several series at once; empty without any. */
  maps: SeriesMapMeta[];
  /** Whether tasks are sent by probes or offers that can be listed for a task. */
  probes: boolean;
  /** The layers of the map. */
  layers: LayerMeta[];
  /** The kinds of flashes on the map. */
  marks: MarkMeta[];
  /** The counters: those of every scheduler, then its own. */
  counters: CounterMeta[];
  /** The series: those of every scheduler, then its own. */
  series: SeriesMeta[];
  /** The histograms. */
  hists: HistogramMeta[];
  /** The reasons for decisions that the scheduler gives. */
  reasons: ReasonMeta[];
  /** How the work is drawn. Absent in recordings of earlier versions. */
  work?: WorkMeta;
  /** Only in a recording: the format of the file. */
  recording_format?: number;
  /** Only in a recording: how many rows of the decision log were left out. */
  decisions_thinned?: number;
  /** Only in a recording: what was noticed while the workload was read. */
  notes?: string[];
}

/** An instructive moment of a run, chosen by a rule (`scheduler_core.run.instructive`). */
export interface Moment {
  /** The name of the rule that chose the moment. */
  kind: string;
  /** What the moment is, for people. */
  label: string;
  /** The simulated time in nanoseconds. */
  t_ns: number;
  /** The number of the task; -1 if the moment is about none. */
  task: number;
  /** The machines of the moment. The first is where it happens. */
  machines: number[];
  /** What happened and why. */
  sentence: string;
  /** When the events began that led to the moment. Absent if they began when the task arrived. */
  since_ns?: number;
  /** What the task does, in a few words, to stand beside it on the map. */
  tag?: string;
  /** A second task, which waits, if the moment is about two. */
  beside?: number;
  /** What the second task does, in a few words. */
  beside_tag?: string;
  /** What `sentence`, `tag` and `beside_tag` are made of, by the name of the field. Only recordings have it. */
  said?: Record<string, Said[]>;
  /** The latest start of the waiting task with which its job ends no later, by the job's plan. */
  latest_ns?: number;
  /** All probes of the task's job, if the moment is about them. */
  probes?: MomentProbe[];
}

/** A probe that waits in the queue of a machine for one of a job's tasks. */
export interface MomentProbe {
  /** The number of the machine. */
  machine: number;
  /** When it joined the queue, in nanoseconds of simulated time. */
  from_ns: number;
  /** When it left the queue, in nanoseconds of simulated time; -1 if it still stood there at the moment. */
  until_ns: number;
  /** The task that it fetched; -1 for none. */
  task: number;
}

/** The most instructive moments of a run, in order of time. A recording keeps them as `moments.json`. */
export interface Moments {
  /** The moments, in order of time; may be empty. */
  moments: Moment[];
}

/** A decision that the picture shows as a movement. */
export interface MoveMeta {
  /** The code of the reason in meta. */
  reason: number;
  /**
   * What a decision looks like.
   *
   * - `bounce`: a request goes to a machine and comes back.
   * - `steal`: something leaves one worker's queue for another's.
   * - `throw`: a task loses its machine.
   * - `borrow`: a machine changes hands for one task.
   * - `give`: a share changes hands.
   * - `shed`: a worker sends a waiting task elsewhere.
   * - `overtake`: a task leaves a queue before others that stood in front of it.
   */
  role: "bounce" | "steal" | "throw" | "borrow" | "give" | "shed" | "overtake";
  /**
   * Where the movement begins: the decision's machine (`machine`), its `frm` as a machine (`machine_frm`), the task's
   * keeper (`keeper`), or the keeper of that number (`keeper_frm`, `keeper_to`). Empty for nowhere.
   */
  frm: "" | "machine" | "machine_frm" | "keeper" | "keeper_frm" | "keeper_to";
  /** Where the movement ends, as for `frm`. */
  to: "" | "machine" | "machine_frm" | "keeper" | "keeper_frm" | "keeper_to";
  /** Whether something went wrong. */
  wrong: boolean;
}

/** Parts of the starts by the distance to the task's data, which add up to 1. */
export interface Nearness {
  /** The fraction of starts on a machine that stores the task's data. */
  local: number;
  /** The fraction of starts on other machines of a rack that stores the data. */
  in_rack: number;
  /** The fraction of starts in other racks. */
  remote: number;
}

export type Notice = StateNotice | StudyNotice | PresentationNotice | ClassNotice;

/** Consecutive machines of a cluster that have one owner. */
export interface PartitionMeta {
  /** The number of the owner; 255 for none. */
  owner: number;
  /** The first machine. */
  first: number;
  /** The number of machines. */
  machines: number;
}

/** How fast the simulation ran. These figures alone differ in a repeated run. */
export interface Performance {
  /** The simulation alone, without start-up, compilation and reading of files. */
  wall_s: number;
  /** Simulated tasks per second of `wall_s`. */
  tasks_per_s: number;
  /** Simulated events per second of `wall_s`. */
  events_per_s: number;
  /** The largest memory of the process, in MB. */
  peak_rss_mb: number;
  /** The time of compilation before the run. */
  compile_s: number;
  /** Reading or drawing the workload and building the arrays, without compilation. */
  prepare_s?: number;
  /** The simulation with its frames and its log of decisions: `wall_s` and what surrounds the event loop. */
  simulate_s?: number;
  /** Measuring the run that has ended: all other figures of the summary. */
  measure_s?: number;
  /** Writing the tables of tasks and jobs to files; 0 where nothing was written. */
  write_s?: number;
  /** Simulated tasks per second of preparing, simulating, measuring and writing together. */
  whole_tasks_per_s?: number;
  /** The processor time of each stage; only of a pipeline whose stages were timed. */
  stages?: StageSeconds;
}

/** Figures of a scheduler that is a pipeline of stages. */
export interface PipelineFigures {
  /** From the submission of a task's job until the task ends. */
  task_response_s: Times;
  /** From a task's own submission, when it would become eligible if no task waited, until it ends. */
  task_response_own_s: Times;
  /** From the end of the last task that a task waits for until it ends itself. */
  task_response_eligible_s: Times;
  /** From a job's submission until its end. */
  job_makespan_s: Times;
  /** From a job's submission until its first task starts. */
  job_waiting_s: Times;
  /** The time from a job's submission to its end, divided by the time from its first start to its end. */
  schedule_length: Times;
  /** The schedule length, rounded down to a whole number. */
  schedule_length_whole: Times;
  /** The time from a job's submission to its end, divided by its critical path. */
  schedule_length_of_path: Times;
  /** By the identifiers of the stages. */
  stages: Record<string, StageFigures>;
}

/** Parameters that together pursue one objective, and that may change during a run. */
export interface PolicyMeta {
  /** The name that programs use. */
  name: string;
  /** The name that people read. */
  label: string;
  /** What it means, in a sentence or two. */
  help: string;
  /** The parameters and their values. */
  params: Record<string, any>;
}

/** Says that the viewer has read what it was sent. The server waits after 64 messages. */
export interface PresentationAck {
  /** Names this kind of message. */
  ack: true;
}

/** Takes the presentation over. Only the owner of the experiment may do so. */
export interface PresentationBegin {
  /** Names this kind of message. */
  present: true;
  /** The owner token, if the browser's session is not the owner. */
  token?: string;
}

/** Ends the presentation. */
export interface PresentationEnd {
  /** Names this kind of message. */
  stop: true;
}

/** What is shown in a presentation. */
export interface PresentationNews {
  /** Whether the presenter is there. */
  presenting: boolean;
  /** The number of viewers. */
  watching: number;
  /** What is shown; null before anything was. */
  state: Shown | null;
}

/** A presenter shows something else. The receiver reads the state from Redis. */
export interface PresentationNotice {
  /** Names this kind of notice. */
  type: "presentation.news";
}

export type PresentationSocket = PresentationNews | SocketError;

export type PresentationSocketRequest = PresentationAck | PresentationBegin | PresentationState | PresentationEnd;

/** Shows something, or with null says that nothing changed and the presenter is still there. */
export interface PresentationState {
  /** What is shown from now on; null for no change. */
  state: Shown | null;
}

/** The preview has to compile the scheduler first. */
export interface PreviewCompiling {
  /** The number of the viewer's question. */
  preview: number;
  /** Names this kind of message; another one with the answer follows. */
  state: "compiling";
  /**
   * How much the waiting work grows in each minute at least, in seconds of all machines, under any scheduler: the
   * queue has no limit. Null below load 1.
   */
  at_least_s?: number | null;
}

/** The answer to a viewer's question. */
export interface PreviewDone {
  /** The number of the viewer's question. */
  preview: number;
  /** Names this kind of message. */
  state: "done";
  /** The simulated time up to which the preview ran, in nanoseconds. */
  t_ns: number;
  /** What was left out; null for a preview of the whole run. */
  reduced: PreviewReduction | null;
  /** Ranges for the whole run; null for a preview of the whole run. */
  foretold: PreviewForetold | null;
  /** The summary of what was simulated. */
  summary: Summary;
  /** Histograms as in a key frame. */
  hist: Record<string, HistogramChange>;
  /** What each queue deserves and used, in the experiment's order. */
  shares: PreviewQueueUse[];
  /** What was noticed while the workload was read. */
  notes: string[];
  /** The seconds that the preview took. */
  took_s: number;
}

/** There is no preview of this experiment. */
export interface PreviewFailed {
  /** The number of the viewer's question. */
  preview: number;
  /** Names this kind of message. */
  state: "failed";
  /** What is wrong. */
  error: HttpProblem;
}

/** What the whole run's waits will be like, estimated from the part that was simulated. */
export interface PreviewForetold {
  /** By percentile (p50, p90, p99, p99.9); null for one that the preview cannot tell. */
  allocation_delay: Record<string, WaitRange | null>;
  /** Null where the queue does not grow without limit. */
  growth: PreviewGrowth | null;
  /** Why a percentile cannot be told: few, filling, uneven, wide, stages, constraints, events or stop. */
  reason: string | null;
  /** The same in a sentence. */
  says: string;
}

/** The queue has no limit at this load: it grows as long as jobs arrive. */
export interface PreviewGrowth {
  /** `wait`: the wait of new tasks. `backlog`: the work that waits, in seconds of all machines. */
  of: "wait" | "backlog";
  /** What has less capacity than the load needs. */
  cause: "machines" | "scheduler";
  /** By how much it grows in each minute; null where the preview cannot tell. */
  in_a_minute: WaitRange | null;
}

/** What a queue deserves and what its tasks used, as fractions of what all queues have. */
export interface PreviewQueueUse {
  /** The name of the queue. */
  queue: string;
  /** The queue's share, as a fraction of all shares. */
  deserved: number;
  /**
   * What its tasks used, as a fraction of what all tasks used: the largest fraction of any resource that a task
   * holds, times its run time. 0 if no task ran.
   */
  used: number;
  /** The number of its tasks that have started. */
  tasks_started: number;
}

/** How much of the run a preview simulated. */
export interface PreviewReduction {
  /** The number of tasks that had ended. */
  tasks: number;
  /** The number of tasks of the whole run. */
  of_tasks: number;
  /** The simulated time in seconds. */
  simulated_s: number;
  /** The same in a sentence. */
  says: string;
}

export type PreviewSocket = PreviewCompiling | PreviewFailed | PreviewDone | SocketError;

/** One thing that is wrong (`scheduler_core.Problem` as JSON). */
export interface ProblemItem {
  /** The field, such as `topology.clusters[0].repeat`; empty where no field is concerned. */
  path: string;
  /** What is wrong. */
  message: string;
  /** What is allowed; may be empty. */
  allowed: string;
  /** What to do; may be empty. */
  remedy: string;
  /** The field's label as forms show it, such as `Message delay`; absent for a field without one. */
  label?: string;
}

/** How the measured number grew while its runs went on: what a page plays at the reveal. */
export interface QuestionGrowth {
  /** Instants of simulated time in seconds, evenly spaced to the end of the longest run. */
  t_s: number[];
  /** For each option or place, the number at each instant; null before anything is measured. */
  values: (number | null)[][];
}

/** What a run computed, and what the class answered. */
export interface QuestionResult {
  /** The number of the option, machine or task, the number, or one for each place; null where nothing was measured. */
  answer: number | (number | null)[];
  /** For options: the measured number of each. Otherwise empty. */
  values: (number | null)[];
  /** For options: the best one and those that the runs do not show to be worse, seed by seed. Otherwise empty. */
  right: number[];
  /** How many students gave each option, each equal part of the scale, or each of `machines`. */
  counts: number[];
  /** The machines or tasks that `counts` counts, the most frequent first; empty for other kinds. */
  machines: number[];
  /** Percentiles 10, 25, 50, 75 and 90 of the class: at each place of a curve, or of a number. Otherwise empty. */
  band: number[][];
  /** Null for a machine or a task, and for answers that an earlier version computed. */
  growth: QuestionGrowth | null;
  /**
   * The 95 % interval of each option's or place's mean over the seeds, as [low, high], from 0 on where no run is
   * below it. Empty for a machine or a task; null, or empty as a whole, where a single run was made.
   */
  intervals: (number[] | null)[];
  /** The run to watch, where there is one. */
  run: string | null;
  /** The study that computed the answer, where there is one. */
  study: string | null;
}

/**
 * Fairness among queues: Jain's index of use divided by share, and figures that take demand into account.
 *
 * At each instant, a queue's entitlement is its share or what its tasks ask for, whichever is less.
 */
export interface QueueFairness {
  /** The mean over all windows of Jain's index: 1 if all are treated alike. */
  jain_mean: number;
  /** The least Jain's index of a window. */
  jain_min: number;
  /** The greatest Jain's index of a window. */
  jain_max: number;
  /** The length of a window in seconds. */
  window_s: number;
  /** Jain's index of the queues' use divided by entitlement, over the whole run; null if none asked. */
  entitled_jain: number | null;
  /** The smallest fraction of its entitlement that any queue used. */
  entitled_worst: number | null;
  /** The name of that queue. */
  entitled_worst_queue: string | null;
  /** The queues that asked for something. */
  by_queue: QueueUse[];
}

/** One queue of jobs. */
export interface QueueMeta {
  /** The name, as in the experiment. */
  name: string;
  /** The share of the datacenter that the queue deserves. */
  share: number;
  /** The number of the Global Master that serves the queue. */
  owner: number | null;
}

/** What a queue used of the datacenter, compared with its entitlement, over the whole run. */
export interface QueueUse {
  /** The name of the queue. */
  queue: string;
  /** Its use divided by its entitlement; above 1 where it also used what others left. */
  use_to_entitlement: number;
  /** The fraction of its entitlement that it used, 0 to 1. */
  served: number;
}

/** The reason of a decision. */
export interface ReasonMeta {
  /** The number in a row of the decision log. */
  code: number;
  /** The name that programs use. */
  name: string;
  /** The sentence, with fields in braces. */
  template: string;
  /** The fields of the template. */
  fields: string[];
  /** The changes of the experiment that could have changed the decision. */
  edits: string[];
}

/** The jobs' starts beside those that the workload's source has recorded. */
export interface RecordedStarts {
  /** The number of jobs that started in the run and have a recorded start. */
  jobs: number;
  /** The distance between the two starts of a job. */
  error_s: Times;
  /** The mean of the start minus the recorded one; negative where jobs start earlier. Null without such jobs. */
  mean_shift_s: number | null;
  /** The number of these jobs that start at most 60 s from the recorded start. */
  within_60_s: number;
  /** The number of these jobs that start before the recorded start. */
  earlier: number;
  /** The number of these jobs that start after the recorded start. */
  later: number;
}

/** When keepers receive the state of each cluster, which reports periodically. Each keeper has a copy of it. */
export interface RefreshMeta {
  /** The time from one report of a cluster to its next, in nanoseconds. */
  period_ns: number;
  /** When each cluster first reports, in nanoseconds of simulated time. */
  first_ns: number[];
}

/**
 * How machines were used, at 64 instants at equal distances, the last one at the end of the run.
 *
 * The last attempt of each task counts. Machines out of service have no room.
 */
export interface Room {
  /** The mean number of machines with at least one task. */
  machines_used: number;
  /** The mean fraction of each resource that tasks held, those without an end included. */
  held: Record<string, number>;
  /** The mean standard deviation of the fractions that machines had in use: 0 if all machines are equally full. */
  spread: Record<string, number>;
  /** The largest request that still fitted, for each type of machine and each resource. */
  fits: Record<string, Record<string, Fit>>;
}

/** News of a run's state, for viewers that asked for notices. */
export interface RunNotice {
  /** How far the run is now. */
  notice: RunProgress;
}

/** How far a run is. */
export interface RunProgress {
  /**
   * What happens now: `queued` (it waits for a worker), `compiling` (its scheduler), `running`, or `paused`; or how it
   * ended: `done`, `failed` or `cancelled`.
   */
  state: "queued" | "compiling" | "running" | "paused" | "done" | "failed" | "cancelled";
  /** The fraction of the run that is computed. */
  progress: number;
  /** The seconds that are left, of the compilation while the scheduler is compiled; null while nobody can tell. */
  eta_s: number | null;
  /** How far the compilation is; null while nothing is compiled. */
  compiled: CompiledFunctions | null;
}

/** What a viewer of a run asks for. A message has one of these keys at least. */
export interface RunRequest {
  /** The layers to send from now on. A layer that is new begins with the next key frame. */
  subscribe?: string[];
  /** The number of the last frame that the viewer has. The server waits with more than 64 frames or 4 MB. */
  ack?: number;
  /** Whether to send notices, too. */
  notices?: boolean;
}

export type RunSocket = Frame | RunNotice | SocketError;

/** Figures of schedulers under which the run time of a task depends on its machine. */
export interface RunningFigures {
  /** The geometric mean of the ideal run time divided by the actual one; null if no task completed. */
  snp: number | null;
  /** The geometric mean of the ideal run time divided by the response time; null if no task completed. */
  snp_with_waiting: number | null;
  /** The actual run time of a task. */
  run_s: Times;
  /** The response time minus the run time. */
  wait_s: Times;
  /** From a task's arrival until its end. */
  response_s: Times;
  /** How near to their data tasks started; absent if no start was counted. */
  locality?: Nearness;
  /** How much data tasks read, by distance; absent if they read none. */
  read_gb?: GigabytesRead;
}

/** A sentence as it can be said in another language. */
export interface Said {
  /** English with places for the arguments, such as "Task {task} waited {time}.". */
  template: string;
  /** What stands for each place, by its name. */
  arguments: Record<string, string>;
}

/** The scheduler of a run, with the flags that a viewer needs. */
export interface SchedulerMeta {
  /** The name in an experiment. */
  name: string;
  /** The name that people read. */
  label: string;
  /** The family, to group schedulers in lists. Behavior follows from flags, never from the family. */
  family: string;
  /** The paper that describes the scheduler. */
  paper: string;
  /** Whether the scheduler is composed of stages, which can be replaced one by one. */
  composes: boolean;
}

/** Series drawn as one picture, one row for each series whose name begins with `prefix`. */
export interface SeriesMapMeta {
  /** The name that programs use. */
  name: string;
  /** The name that people read. */
  label: string;
  /** The question that the picture answers. */
  question: string;
  /** What it means, in a sentence or two. */
  help: string;
  /** How the names of its series begin. */
  prefix: string;
  /** A series that is 1 while something is on, drawn as a band above the rows; empty for none. */
  switch: string;
  /** Values from here on are marked. */
  threshold: number;
}

/** A number that every frame has, drawn over time. */
export interface SeriesMeta {
  /** The key of the series in frames. */
  name: string;
  /** The name that people read. */
  label: string;
  /** What the values count, such as `tasks`; `1` for a fraction, `0 or 1` for what is on or off. */
  unit: string;
}

/** What a presenter shows: a run, an instant of it, and a place on the map. */
export interface Shown {
  /** The slug of the experiment. */
  experiment: string;
  /** The id of the run. */
  run: string;
  /** The simulated time in seconds. */
  t_s: number;
  /** Whether playback is on. */
  playing: boolean;
  /** Simulated seconds per second of playback. */
  rate: number;
  /** The magnification of the map. */
  zoom?: number | null;
  /** The machine in the middle of the map. */
  centre?: number | null;
  /** The layer that is shown alone; null for all together. */
  layer?: string | null;
  /** The owners whose machines keep their full color; empty for all. */
  owners?: number[];
  /** The machine that the presenter selected; -1 for none. */
  pinned?: number;
  /** The machine under the presenter's pointer; -1 for none. */
  pointed?: number;
}

/** What went wrong. Most errors are followed by the end of the connection. */
export interface SocketError {
  /** A stable name of the kind of error, for programs. */
  error: string;
  /** What is wrong, in words. */
  message: string;
}

/** What one stage of a pipeline did. */
export interface StageFigures {
  /** How many times the stage was performed. */
  calls: number;
  /** The operations of the stage's plain algorithm. */
  operations: number;
  /** The modeled time of the operations. */
  time_s: number;
}

/** The processor time of a pipeline's stages. */
export interface StageSeconds {
  /** The processor time of the whole loop, in seconds. */
  cpu_s: number;
  /** The number of steps that were timed. */
  steps: number;
  /** The processor time outside of all stages. */
  engine_s: number;
  /** The processor time of each stage in seconds, by the stage's identifier. */
  stages: Record<string, number>;
}

/** A run has a new state. The receiver reads the progress from Redis. */
export interface StateNotice {
  /** Names this kind of notice. */
  type: "run.state";
  /**
   * What happens now: `queued` (it waits for a worker), `compiling` (its scheduler), `running`, or `paused`; or how it
   * ended: `done`, `failed` or `cancelled`.
   */
  state: "queued" | "compiling" | "running" | "paused" | "done" | "failed" | "cancelled";
}

/** The first run of a study that failed. */
export interface StudyFailure {
  /** A stable name of the kind of error, for programs. */
  code: string;
  /** What is wrong, in words. */
  message: string;
  /** The number of the run in the study. */
  run: number;
}

/** A study went on. The receiver reads its progress from the database. */
export interface StudyNotice {
  /** Names this kind of notice. */
  type: "study.news";
}

/** How far a study is. */
export interface StudyProgress {
  /**
   * What happens now: `queued` (it waits for a worker), `compiling` (its scheduler), `running`, or `paused`; or how it
   * ended: `done`, `failed` or `cancelled`.
   */
  state: "queued" | "compiling" | "running" | "paused" | "done" | "failed" | "cancelled";
  /** The number of runs of the study. */
  runs: number;
  /** The number of runs that are done. */
  done: number;
  /** The number of runs that failed. */
  failed: number;
  /** The number of runs that workers compute now. */
  running: number;
  /** Whether a scheduler of the study is being compiled. */
  compiling: boolean;
  /** The fraction of the runs that have ended. */
  progress: number;
  /** The seconds that are left; null while nobody can tell. */
  eta_s: number | null;
  /** The first run that failed; null if none did. */
  error: StudyFailure | null;
}

export type StudySocket = StudyProgress | SocketError;

/** The summary of a run that has ended. */
export interface Summary {
  /** The sha256 of the canonical experiment. */
  experiment_digest: string;
  /** The sha256 of every task's first start, end, machine and attempts. */
  outcome_digest: string;
  /** The name of the scheduler in an experiment. */
  scheduler: string;
  /** The seed of the run. */
  seed: number;
  /** The version of the library that computed the run. */
  core_version: string;
  /** How many tasks there were, and how they ended. */
  tasks: TaskCounts;
  /** How many jobs there were, and how many completed. */
  jobs: JobCounts;
  /** From arrival until a task first starts. */
  allocation_delay_s: TaskTimes;
  /** The parts of that delay. */
  delay_components_s: DelayParts;
  /** From arrival until the last task of a job ends. */
  job_completion_s: Times;
  /** The completion time minus the ideal one. */
  job_delay_s: Times;
  /** Figures of short and of long jobs; only of schedulers that tell them apart by a cutoff. */
  by_class?: JobClasses;
  /** Figures by the work's own classes, whatever the scheduler. Absent in summaries of earlier versions. */
  by_work_class?: WorkClasses;
  /**
   * How the run ended: all work done, by the stop rule, or with tasks that wait while nothing will ever change.
   * Absent in summaries of earlier versions.
   */
  finished?: "drained" | "stopped-at" | "stuck";
  /** The tasks that wait for ever, the largest groups first; only if the run is stuck. */
  waiting_groups?: WaitingGroup[];
  /** Only where tasks ask for constraints. */
  constraint_waits?: ConstraintWaits;
  /** Only where the workload has recorded starts, such as an import of `sacct`. */
  recorded_starts?: RecordedStarts;
  /** Where waiting time goes. Absent in summaries of earlier versions. */
  waits?: Waits;
  /** Figures of each queue, of at most 12; only where at least two have tasks. */
  by_queue?: Record<string, GroupFigures>;
  /** Figures of each priority, the highest first, of at most 12; only where tasks have at least two priorities. */
  by_priority?: Record<string, GroupFigures>;
  /** What room the machines had. Absent in a fluid pool, and in runs of more than 2,000,000 tasks. */
  room?: Room;
  /** The work of tasks that were stopped before their end. */
  lost_work_s: number;
  /** From the first arrival until the last end. */
  makespan_s: number;
  /** The mean part of each resource that is in use during the makespan. */
  utilisation: Record<string, number>;
  /** Fairness among queues: by share alone, and by share and demand. */
  fairness: QueueFairness;
  /** Figures of jobs that are graphs; only of schedulers for such jobs. */
  graphs?: GraphFigures;
  /** Figures of run times; only of schedulers under which the run time of a task depends on its machine. */
  running?: RunningFigures;
  /** Figures of stages; only of pipelines. */
  pipeline?: PipelineFigures;
  /** The counters that the scheduler declares, with `events` and `messages`. */
  counters: Record<string, number>;
  /** How fast the simulation ran. */
  performance: Performance;
}

/** A distribution in seconds, with the percentiles that papers about graphs give; null where no job completed. */
export interface TailTimes {
  /** The arithmetic mean. */
  mean: number | null;
  /** 75 % of the values are at most this. */
  p75: number | null;
  /** 95 % of the values are at most this. */
  p95: number | null;
  /** The greatest value. */
  max: number | null;
}

/** The number of tasks, by how they ended. */
export interface TaskCounts {
  /** All tasks of the workload. */
  total: number;
  /** The tasks that have ended. */
  completed: number;
  /** The tasks that could have run and had not ended when the run stopped. */
  unfinished: number;
  /** The tasks that no machine could hold. */
  unschedulable: number;
  /** The unschedulable tasks that were dropped, so that their jobs continue; absent where none can be. */
  dropped?: number;
  /** The tasks that have no end and run when the run stops, such as pods of a service; absent where all have one. */
  endless?: number;
}

/** A distribution over tasks, in seconds; null where no task started. */
export interface TaskTimes {
  /** The arithmetic mean. */
  mean: number | null;
  /** The median: half of the values are at most this. */
  p50: number | null;
  /** 90 % of the values are at most this. */
  p90: number | null;
  /** 99 % of the values are at most this. */
  p99: number | null;
  /** 99.9 % of the values are at most this. */
  "p99.9": number | null;
  /** 99.99 % of the values are at most this. */
  "p99.99": number | null;
  /** The greatest value. */
  max: number | null;
}

/** A distribution in seconds; null where nothing completed. */
export interface Times {
  /** The arithmetic mean. */
  mean: number | null;
  /** The median: half of the values are at most this. */
  p50: number | null;
  /** 90 % of the values are at most this. */
  p90: number | null;
  /** 99 % of the values are at most this. */
  p99: number | null;
  /** The greatest value. */
  max: number | null;
}

/** A decision about one task, as `explain` reports it. */
export interface ToldDecision {
  /** The simulated time in seconds. */
  t_s: number;
  /** The name of the reason in meta. */
  reason: string;
  /** The template of the reason in meta, filled with the arguments. */
  sentence: string;
  /** The values of the template's fields, by their names. */
  arguments: Record<string, string>;
  /** How many times in a row. */
  times: number;
  /** The changes of the experiment that could have changed the decision. */
  edits: string[];
  /** The number of the machine; null if the decision is about none. */
  machine: number | null;
  /** Whether the task lost its machine by the decision. */
  stops: boolean;
  /** Whether the task waits for this reason at this moment. */
  now: boolean;
}

/** What happened to the tasks of a run, or to those of some machines in an interval. One MessagePack map. */
export interface Track {
  /** The version of the format. */
  v: 1;
  /** How many nanoseconds one unit of time is: 1,000 for runs of up to 71 minutes. */
  unit_ns: number;
  /** Up to when the run is known. */
  until_ns: number;
  /** Only of an interval: where it begins. It ends at `until_ns`. */
  from_ns?: number;
  /** Only of some machines: the first of them. */
  first?: number;
  /** Only of some machines: how many they are. */
  machines?: number;
  /** How many tasks of the interval are left out because there were too many. */
  left_out: number;
  /** Whether the decision log was thinned, so that movements and earlier runs of stopped tasks are missing. */
  thinned: boolean;
  /** The tasks, each with its last run. */
  tasks: TrackTasks;
  /** The stretches in which tasks that lost their machine ran. */
  spells: TrackSpells;
  /** The decisions that are drawn as movements. */
  moves: TrackMoves;
  /** Only of schedulers that score machines, and of runs of few machines. */
  choices?: TrackChoices;
  /** Only of schedulers whose keepers decide on copies of the whole state, and of short runs. */
  copies?: TrackCopies;
}

/**
 * Decisions about one task with the score of every machine: a few from all parts of the run, in order of time.
 *
 * Columns are as in `TrackTasks`.
 */
export interface TrackChoices {
  /** The number of rows. */
  count: number;
  /** 4 bytes: when the machines were compared. */
  at: Uint8Array;
  /** 4 bytes: the number of the task. */
  task: Uint8Array;
  /** 4 bytes: the machine that was chosen, plus 1. */
  machine: Uint8Array;
  /** 2 bytes for each decision and machine: 0 where the task has no room, else 1 plus ten times its score. */
  scores: Uint8Array;
  /** What the scores are made of. Only of runs of very few machines. */
  parts?: ChoicePart[];
}

/** When each keeper copied the state of all machines, in order of time; columns as in `TrackTasks`. */
export interface TrackCopies {
  /** The number of rows. */
  count: number;
  /** 4 bytes: when the copy was made. */
  at: Uint8Array;
  /** 1 byte: the number of the keeper. */
  keeper: Uint8Array;
}

/** Decisions that the picture shows as movements, in order of time; columns as in `TrackTasks`. */
export interface TrackMoves {
  /** The number of rows. */
  count: number;
  /** 4 bytes: when it was decided. */
  at: Uint8Array;
  /** 4 bytes: the code of the reason. */
  reason: Uint8Array;
  /** 4 bytes: the number of the task. */
  task: Uint8Array;
  /** 4 bytes: the row's machine, plus 1. */
  machine: Uint8Array;
  /** 4 bytes: the row's `frm`, plus 1. */
  frm: Uint8Array;
  /** 4 bytes: the row's `to`, plus 1. */
  to: Uint8Array;
  /** 4 bytes: the number of the task on the other side, plus 1; 0 where there is none. */
  other?: Uint8Array;
}

/** All stretches in which tasks that lost their machine ran, in order; columns as in `TrackTasks`. */
export interface TrackSpells {
  /** The number of rows. */
  count: number;
  /** 4 bytes: the row of the task in `tasks`. */
  row: Uint8Array;
  /** 4 bytes: the machine, plus 1. */
  machine: Uint8Array;
  /** 4 bytes: when it started. */
  start: Uint8Array;
  /** 4 bytes: when it lost the machine or ended; 4294967295 where it runs on. */
  end: Uint8Array;
}

/**
 * Tasks by columns, in the workload's order. Times count `unit_ns`.
 *
 * A column of `count` integers of 4 bytes is stored as four runs of `count` bytes, lowest byte first, which compresses
 * better. Columns of bytes stay as they are.
 */
export interface TrackTasks {
  /** The number of rows. */
  count: number;
  /** 4 bytes: the number of the task. Empty where rows are all tasks of the run. */
  task: Uint8Array;
  /** 4 bytes: the number of the job. */
  job: Uint8Array;
  /** 1 byte: the number of the job's queue. */
  queue: Uint8Array;
  /** 1 byte: the number of its keeper; 255 where that is not known. */
  keeper: Uint8Array;
  /** 4 bytes: the machine of its last start, plus 1; 0 before it starts. */
  machine: Uint8Array;
  /** 1 byte: the largest share of any resource of that machine that it holds, of 255; 0 where that is not known. */
  size: Uint8Array;
  /** 4 bytes: the simulated time at which it arrived. */
  arrival: Uint8Array;
  /** 4 bytes: how long it waited with its keeper before its first start, or has waited so far. */
  framework: Uint8Array;
  /** 4 bytes: how long its keeper decided about it. */
  processing: Uint8Array;
  /** 4 bytes: how long messages took. */
  communication: Uint8Array;
  /** 4 bytes: how long it stood in the queues of machines. */
  worker: Uint8Array;
  /** 4 bytes: how long its last run took; 4294967295 where it has not ended. */
  ran: Uint8Array;
  /** 1 byte: 1 where its job is a long one, by the scheduler's cut-off, else by the work's. Absent without one. */
  long?: Uint8Array;
}

/** The waits of the tasks of one group that started. */
export interface WaitGroup {
  /** Which tasks: `all`, those of a `queue`, or those of a `class` of jobs. */
  kind: "all" | "queue" | "class";
  /** The queue's name; `short` or `long`; empty for all tasks. */
  name: string;
  /** The number of its tasks that started. */
  tasks: number;
  /** Where they waited. */
  parts_s: WaitParts;
  /** The mean part of the scarcest resource that was free while they waited, weighted by how many waited. */
  free: number | null;
  /** Points of the distribution: the part of the tasks that waited at most this number of seconds. */
  curve_s: [number, number][];
}

/** Seconds that all tasks together waited, by place. */
export interface WaitParts {
  /** In queues of schedulers and masters. */
  framework_queuing: number;
  /** While schedulers and masters worked on them. */
  processing: number;
  /** While messages were on their way. */
  communication: number;
  /** In the queue of a worker. */
  worker_queuing: number;
}

/**
 * A range that should hold what the whole run measures.
 *
 * It did in nine of ten trials (docs/development/performance.md).
 */
export interface WaitRange {
  /** The lower end in seconds. */
  low_s: number;
  /** The upper end in seconds. */
  high_s: number;
}

/** Tasks that wait for ever, with the same queue, demand and reason. */
export interface WaitingGroup {
  /** The name of their queue. */
  queue: string;
  /** The number of these tasks. */
  tasks: number;
  /** The number of the first of them. */
  first_task: number;
  /** Why they wait, in words. */
  reason: string;
}

/** Where waiting time goes. */
export interface Waits {
  /** All tasks; each queue where there are 2 to 12; short and long jobs where the scheduler tells them apart. */
  groups: WaitGroup[];
}

/** The waits of tasks that ask for one constraint, or for none. */
export interface WaitsByConstraint {
  /** The name of the constraint; null for tasks that ask for none. */
  constraint: string | null;
  /** The tasks that arrived. */
  tasks: number;
  /** Those of them that started. */
  started: number;
  /** From arrival until the first start, over those that started. */
  wait_s: Times;
  /** The tasks that arrived in each span. */
  tasks_by_span: number[];
  /** The mean wait of the tasks that arrived in each span and started; null where none did. */
  mean_s_by_span: (number | null)[];
}

/** The figures of the work's short jobs, or of its long ones. */
export interface WorkClassFigures {
  /** The number of completed jobs of the class. */
  jobs: number;
  /** The number of tasks of the class that started. */
  tasks: number;
  /** From arrival until a task of the class first starts. */
  allocation_delay_s: TaskTimes;
  /** From the arrival of a job of the class until its last task ends. */
  job_completion_s: Times;
  /** The completion time minus the ideal one, for jobs of the class. */
  job_delay_s: Times;
}

/** Figures by the work's own classes. They are the same jobs under every scheduler. */
export interface WorkClasses {
  /** What makes a job short, in words. */
  definition: string;
  /** Two `declared` classes, two `modes` of the durations, or the cut-off of `yahoo`, which is not of this work. */
  rule: "declared" | "modes" | "yahoo";
  /** The longest mean task duration of a short job in seconds. */
  cutoff_s: number;
  /** Short jobs. */
  short: WorkClassFigures;
  /** The other jobs. */
  long: WorkClassFigures;
}

/** The picture of a run's work: where tasks wait, in which order, and which decisions are movements. */
export interface WorkMeta {
  /** Who keeps tasks until a machine is chosen. */
  keeper: KeeperMeta;
  /** Where tasks wait, in the order of their way. */
  legs: LegMeta[];
  /** The decisions that are drawn as movements. */
  moves: MoveMeta[];
  /**
   * How a keeper decides, where that is drawn.
   *
   * - `choose`: for one task at a time; machines without room drop out, and one of the others is chosen.
   * - `round`: for all waiting tasks at once; tasks that leave at the same time are of one round.
   */
  decision?: "" | "choose" | "round";
  /** When keepers receive the state of each cluster; absent if they do not receive it periodically. */
  refresh?: RefreshMeta;
  /** What checks every request for a machine of a cluster, where something does: its name. */
  gate?: string;
}
