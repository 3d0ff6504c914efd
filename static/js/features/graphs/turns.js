/** Who is next in line: what each job or queue holds of what the scheduler counts, beside its fair part. */

import { CanvasPicture } from "../../draw/scenes/canvas_picture.js";
import { h } from "../../kit/dom.js";
import { duration, percent, whole } from "../../kit/format.js";
import { queueName } from "../../kit/names.js";
import { gettext } from "../../kit/words.js";
import { hueOfJob } from "../../draw/work/colours.js";
import { measureOf } from "./measures.js";
import { turnsAt, turnsGround } from "./turns_now.js";
import { turnWords, turnsPlace, turnsScene } from "./turns_scene.js";
import { weightOf } from "./weights.js";

/** Machines are free where tasks hold less of every resource than this part. */
const BUSY = 0.8;

export default {
  id: "turns",
  title: gettext("Who is next"),
  question: gettext("Who holds how much now, and whose task starts next?"),
  needs: (meta) => measureOf(meta) !== null,
  mount(body, desk) {
    const view = new TurnsView(body, desk);
    const { picture } = view;
    return {
      graphs: (next) => view.show(next),
      moved: () => picture.draw(),
      tells: (t_ns) => view.tells(t_ns),
      scene: () => ({ marks: picture.scene(), width: picture.width, height: picture.height }),
    };
  },
};

class TurnsView {
  constructor(body, desk) {
    this.desk = desk;
    this.graphs = null;
    this.key = h("p", { class: "picture-key" });
    const place = h("div", { class: "picture-place" });
    body.append(h("div", { class: "picture-tools" }, this.key), place);
    this.picture = new CanvasPicture(
      place,
      gettext("What each job or queue holds now beside its fair share. Arrow keys go from row to row, Enter selects."),
      {
        scene: (width, height) => {
          const turns = this.graphs ? this.#turns() : null;
          return turns ? turnsScene(turns, this.#how(width, height)) : [];
        },
        hit: (_, y) => {
          const { turns, place: found } = this.#placed();
          const turn = turns.find((one) => y >= found.y(one) && y < found.y(one) + found.row);
          return turn ? { number: turn.number } : null;
        },
        tell: ({ number }) => this.#tell(number),
        pick: ({ number }) => {
          if (this.measure?.of === "jobs") desk.selectJob(number);
        },
        step: (item, _, dy) => {
          const { turns } = this.#placed();
          const at = turns.findIndex((one) => one.number === item?.number) + (dy || 1);
          return turns.length ? { number: turns[Math.min(turns.length - 1, Math.max(0, at))].number } : null;
        },
        at: ({ number }) => {
          const { turns, place: found } = this.#placed();
          const turn = turns.find((one) => one.number === number);
          return [140, turn ? found.y(turn) + found.row / 2 : 0];
        },
      },
    );
  }

  show(graphs) {
    this.graphs = graphs;
    if (graphs) {
      const { meta } = this.desk;
      this.measure = measureOf(meta);
      this.weight = weightOf(meta, graphs);
      this.ground = turnsGround(graphs, this.measure, meta);
      this.key.textContent = this.#keyWords();
    }
    this.picture.draw();
  }

  #turns(t_ns = this.desk.t_ns) {
    const { queues } = this.desk.meta;
    const turns = turnsAt(this.graphs, this.ground, this.measure, t_ns, { queues, weight: this.weight });
    const taken = (turns[0]?.parts ?? []).map((_, resource) =>
      turns.reduce((sum, one) => sum + one.parts[resource], 0),
    );
    this.room = Math.max(0, ...taken) < BUSY;
    this.weighed = turns.some(({ fair }) => Math.abs(fair - turns[0].fair) > 1e-9);
    return turns;
  }

  #placed() {
    const { width, height } = this.picture;
    const turns = this.graphs ? this.#turns() : [];
    const place = turnsPlace(turns, { width, height, lanes: this.ground?.lanes ?? 1 });
    return { turns: place.kept, place };
  }

  #how(width, height) {
    const { measure, ground, desk, graphs, room, weighed } = this;
    const { lanes, counts, shown, most, wait_ns } = ground;
    const byQueue = measure.of === "queues";
    const hue = (number) => (byQueue ? number % 8 : hueOfJob(desk.meta, number, graphs.jobs.queue[number]));
    const name = (number) => this.#name(number);
    return { width, height, lanes, counts, shown, most, wait_ns, room, weighed, measure, hue, name };
  }

  #name(number) {
    if (this.measure?.of === "queues") return queueName(this.desk.meta.queues[number].name);
    return gettext("job {job}", { job: whole(number) });
  }

  /** What the bars are. */
  #keyWords() {
    const { counts, shown } = this.ground;
    const [upper, lower] = shown.map((each) => resourceName(this.graphs.resources[each]));
    const values = { upper, lower };
    if (counts === "tasks" && this.ground.wait_ns)
      return gettext(
        "Bar: its running tasks. Square: a task that waits. Clock: how long the job lets others go first, until a " +
          "machine with its data has room.",
      );
    if (counts === "tasks") return gettext("Bar: its running tasks. Square: a task of it that waits.");
    if (!lower) return gettext("Bar: its part of all {upper}. Square: a task of it that waits.", values);
    return counts === "dominant"
      ? gettext(
          "Upper bar: its part of all {upper}. Lower bar: {lower}. The longer one counts and is darker. " +
            "Square: a task that waits.",
          values,
        )
      : gettext(
          "Upper bar: its part of all {upper}, which counts. Pale lower bar: {lower}, which does not. " +
            "Square: a task that waits.",
          values,
        );
  }

  #tell(number) {
    const turns = this.#turns();
    const turn = turns.find((one) => one.number === number);
    if (!turn) return "";
    const how = this.#how(1, 1);
    return gettext("{name} holds {part}; its share is {fair}. {words}.", {
      name: this.#name(number),
      part: this.#amount(turn.holds),
      fair: this.#amount(turn.fair),
      words: turnWords(
        turn,
        how,
        turns.find((one) => one.next),
      )[0],
    });
  }

  #amount(part) {
    const { counts, most } = this.ground;
    if (counts === "tasks") return gettext("{count} tasks", { count: whole(Math.round(part * most)) });
    return percent(Math.round(1000 * part) / 1000);
  }

  /** Who is next at an instant, in words. */
  tells(t_ns) {
    if (!this.graphs) return "";
    const turns = this.#turns(t_ns);
    const first = turns.find((turn) => turn.next);
    if (!first && turns.some((turn) => turn.waits)) return gettext("The task that fits a machine's room best is next.");
    if (!first) return gettext("No task waits now.");
    if (first.skipped >= 0)
      return gettext(
        "Now {name} is next, but no machine with its data has room. It lets others go first, for {most} at most.",
        { name: this.#name(first.number), most: duration(this.ground.wait_ns) },
      );
    const others = turns.filter((turn) => turn.waits && !turn.next);
    const most = others.sort((a, b) => b.holds / b.fair - a.holds / a.fair)[0];
    const values = { name: this.#name(first.number), part: this.#amount(first.holds), fair: this.#amount(first.fair) };
    if (!most) return gettext("Only tasks of {name} wait now.", values);
    if (this.measure?.of === "queues")
      return gettext("Now {name} is next: of its share of {fair}, it uses {part}. {other} has {own} and uses {more}.", {
        ...values,
        other: this.#name(most.number),
        own: this.#amount(most.fair),
        more: this.#amount(most.holds),
      });
    return gettext("Now {name} is next: it holds {part}. Tasks of {other} wait longer: it holds {more}.", {
      ...values,
      other: this.#name(most.number),
      more: this.#amount(most.holds),
    });
  }
}

/** A resource as people call it. @param {string} name */
function resourceName(name) {
  const known = { cpus: gettext("CPUs"), memory_gb: gettext("memory"), gpus: gettext("GPUs") };
  return known[name] ?? name;
}
