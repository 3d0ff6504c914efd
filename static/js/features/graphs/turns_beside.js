/** Who is next, beside a map outside of the studio: the bars follow the instant of the map. */

import { fetchGraphs } from "./graph_rows.js";
import { giveHues } from "./hues.js";
import { assemble } from "./job_graphs.js";
import { measureOf } from "./measures.js";
import turns from "./turns.js";
import { getMoments } from "../../contract/api.js";
import { element, html, signal } from "../../kit/view.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Stage } from "../../draw/stage/stage.js"
 * @import { RunSession } from "../../run/run_session.js"
 */

const DRAW_MS = 60;

export class TurnsBeside {
  #told = signal({ text: "", t_ns: 0 });
  #drawn = -1;
  #drawnTime = 0;
  /** @type {RunSession | null} */
  #session = null;

  /**
   * @param {HTMLElement} root  hidden unless jobs or queues have turns in the run
   * @param {Stage} stage  the map's
   * @param {(run: string, t_ns: number) => void} choice  called once for a run, with an instant just before a choice
   *   that shows how the scheduler decides
   */
  constructor(root, stage, choice) {
    this.root = root;
    this.stage = stage;
    this.choice = choice;
    /** @type {ReturnType<typeof turns.mount> | null} */
    this.picture = null;
  }

  /**
   * Show the turns of a computed run once its jobs are fetched; nothing for other schedulers and runs without jobs.
   * @param {RunSession | null} session
   */
  async show(session) {
    if (session === this.#session) return;
    this.#session = session;
    this.root.hidden = true;
    const meta = session?.meta;
    const measure = meta ? measureOf(meta) : null;
    if (!session || !meta?.graphs || !measure) return;
    const { id } = session.run;
    try {
      const [jobs, moments] = await Promise.all([fetchGraphs(id, {}), getMoments(id)]);
      const graphs = assemble(jobs, meta);
      if (session !== this.#session || !graphs.placements.count) return;
      giveHues(graphs, meta, () => this.#session);
      this.root.hidden = false;
      this.picture ??= this.#mount();
      this.picture.graphs(graphs);
      const shown = moments.find(({ kind }) => kind === measure.moment);
      if (shown) this.choice(id, shown.t_ns - 1);
      this.#drawn = -1;
      this.moved();
    } catch {
      // The map alone tells the run, too.
      if (session === this.#session) this.#session = null;
    }
  }

  #mount() {
    const { stage } = this;
    const of = {
      get meta() {
        return /** @type {Meta} */ (stage.meta);
      },
      get t_ns() {
        return stage.player.t_ns;
      },
      moment: -1,
      selectJob: () => {},
    };
    const body = element("div", "turns-beside", () => "");
    const words = element(
      "p",
      "class-note",
      () => html`<span data-says="picture:turns" data-at=${this.#told.value.t_ns}>${this.#told.value.text}</span>`,
    );
    this.root.append(body, words);
    return turns.mount(body, of);
  }

  /** Draw the instant of the map. */
  moved() {
    const { picture, stage } = this;
    if (!picture || this.root.hidden) return;
    const now = performance.now();
    const { t_ns } = stage.player;
    if (t_ns === this.#drawn || (stage.player.playing && now - this.#drawnTime < DRAW_MS)) return;
    this.#drawn = t_ns;
    this.#drawnTime = now;
    picture.moved();
    this.#told.value = { text: picture.tells(t_ns), t_ns };
  }
}
