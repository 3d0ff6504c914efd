/**
 * The timeline of a run: two lines, event ticks, a playhead. Dragging scrubs, the wheel zooms, a double click shows
 * all.
 */

import uPlot from "../../../vendor/uplot/uPlot.esm.js";
import { clock, percent, short, whole } from "../../kit/format.js";
import { countUpTo } from "../../kit/search.js";
import { onTimes } from "../scenes/heat_scene.js";
import { wholeNear } from "../../run/jumps.js";
import { zoomSpan } from "../../kit/scales.js";
import { axisTime, STEPS_S } from "../../kit/time_axis.js";
import { gettext, midSentence } from "../../kit/words.js";
import { onTheme, token } from "../../kit/dom.js";
import { html, ifDefined, made, nothing, show, signal } from "../../kit/view.js";
import { AXIS_SIZE, FONT } from "../../kit/type.js";

/**
 * @import { FrameStore } from "../../run/frames.js"
 * @import { MarkMeta, Meta, SeriesMeta } from "../../contract/contract"
 */

/** @type {Record<string, string>} */
const TICKS = { refusal: "alarm", repartition: "ink", preemption: "second", fault: "data" };

/**
 * Return a tick's color; a kind of mark has the same color under every scheduler.
 * @param {string} kind
 * @param {number} index
 */
function tickColour(kind, index) {
  return TICKS[kind] ?? Object.values(TICKS)[index % 4];
}

/**
 * @typedef {{t_ns: number, words: string}} Planned  an event planned in the experiment
 * @typedef {{kind: string, text: string, help?: string, colour?: string}} Key  an entry of the legend
 */

export class TimelineView {
  /** The legend; null before there is a run. */
  #keys = signal(/** @type {Key[] | null} */ (null));

  /**
   * `onScrub(t_ns)` is called while dragging.
   * @param {HTMLElement} element
   * @param {(t_ns: number) => void} onScrub
   */
  constructor(element, onScrub) {
    this.element = element;
    this.onScrub = onScrub;
    /** @type {HTMLElement} */
    this.plotBox = made(() => html`<div class="timeline-plot"></div>`);
    /** @type {HTMLElement} */
    this.head = made(() => html`<div class="playhead" hidden></div>`);
    /** @type {HTMLElement} */
    this.ghost = made(() => html`<div class="playhead playhead-hover" hidden></div>`);
    show(element, () => [legendView(this.#keys.value ?? []), this.plotBox, this.#keys.value ? nothing : nothingView()]);
    /** @type {number[] | null} */
    this.span = null;
    /** @type {Meta | null} */
    this.meta = null;
    /** @type {Planned[]} */
    this.planned = [];
    /** @type {SeriesMeta[]} */
    this.switches = [];
    /** @type {MarkMeta[]} */
    this.events = [];
    /** @type {SeriesMeta | null} */
    this.share = null;
    /** @type {SeriesMeta | null} */
    this.amount = null;
    /** @type {FrameStore | null} */
    this.store = null;
    this.dragging = false;
    this.end = 1;
    this.t_ns = 0;
    this.size = [0, 0];
    new ResizeObserver(() => this.#resize()).observe(this.plotBox);
    onTheme(() => this.#rebuild());
    this.#listen();
  }

  /**
   * Set the run's metadata. `planned`: the experiment's planned events, [{t_ns, words}].
   * @param {Meta} meta
   * @param {Planned[]} [planned]
   */
  setMeta(meta, planned = []) {
    this.meta = meta;
    this.planned = planned;
    this.switches = (meta.maps ?? [])
      .filter((map) => map.switch)
      .flatMap((map) => meta.series.find((each) => each.name === map.switch) ?? []);
    // If a band shows when something is on, its edges replace the marks of switching.
    this.events = meta.marks.filter((mark) => !mark.quiet && !(mark.whole && this.switches.length));
    this.share = meta.series.find((series) => series.unit === "1") || null;
    this.amount = meta.series.find((series) => series.unit !== "1") || null;
    this.span = null;
    this.#keys.value = this.#listKeys(meta);
    this.#rebuild();
  }

  /**
   * Show new points; `expected_ns` is the expected end of the run.
   * @param {FrameStore} store
   * @param {number} expected_ns
   */
  update(store, expected_ns) {
    this.store = store;
    this.end = Math.max(store.endNs, store.complete ? 0 : expected_ns, 1);
    this.#push();
  }

  #push() {
    if (!this.plot || !this.store) return;
    const { store } = this;
    const lines = [this.share, this.amount].map((series) => {
      const points = series ? store.series[series.name] : null;
      return points ? [points.t.map((t) => t / 1e9), points.v] : [[], []];
    });
    const sameTimes = lines[0][0].length === lines[1][0].length;
    this.plot.setData(sameTimes ? [lines[0][0], lines[0][1], lines[1][1]] : uPlot.join(lines));
    this.#place();
  }

  #resize() {
    const { clientWidth, clientHeight } = this.plotBox;
    if (clientWidth < 40 || clientHeight < 30) return;
    if (clientWidth === this.size[0] && clientHeight === this.size[1]) return;
    this.size = [clientWidth, clientHeight];
    if (this.plot) {
      this.plot.setSize({ width: clientWidth, height: clientHeight });
      this.#place();
    } else this.#rebuild();
  }

  #rebuild() {
    if (!this.size[0] || !this.meta) return;
    this.plot?.destroy();
    const points = { show: false };
    this.plot = new uPlot(
      {
        width: this.size[0],
        height: this.size[1],
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 0, 0, 0],
        scales: {
          x: { time: false, range: () => (this.span || [0, this.end]).map((t) => t / 1e9) },
          share: { range: () => [0, 1.04] },
          amount: {
            range: (/** @type {unknown} */ _, /** @type {unknown} */ __, /** @type {number} */ most) => [
              0,
              Math.max(5, (most || 0) * 1.1),
            ],
          },
        },
        axes: axes(),
        series: [
          {},
          { scale: "share", stroke: token("data"), fill: token("data-soft"), width: 1.5, points, spanGaps: true },
          { scale: "amount", stroke: token("second"), width: 1.5, points, spanGaps: true },
        ],
        hooks: { draw: [(/** @type {uPlot} */ plot) => this.#drawTicks(plot)] },
      },
      [
        [0, 1],
        [null, null],
        [null, null],
      ],
      this.plotBox,
    );
    this.plot.over.append(this.head, this.ghost);
    this.#push();
  }

  /** Draw one tick per pixel column and kind, so that 100,000 marks cost no more than 1,000. */
  #drawTicks(/** @type {uPlot} */ plot) {
    const { store } = this;
    if (!store || !this.meta) return;
    const pen = plot.ctx;
    const ratio = devicePixelRatio;
    const { left, top, width, height } = plot.bbox;
    // A band on the upper edge shows when a switch is on.
    this.switches.forEach((each, number) => {
      pen.fillStyle = token("second");
      for (const [from, to] of onTimes(store.series[each.name])) {
        const [x, end] = [from, to].map((t) =>
          Math.min(left + width, Math.max(left, plot.valToPos(t / 1e9, "x", true))),
        );
        pen.fillRect(x, top + number * 6 * ratio, Math.max(ratio, end - x), 4 * ratio);
      }
    });
    pen.fillStyle = token("ink");
    for (const { t_ns } of this.planned) {
      const x = Math.round(plot.valToPos(t_ns / 1e9, "x", true));
      if (x >= left && x <= left + width)
        for (let y = top; y < top + height; y += 6 * ratio) pen.fillRect(x, y, ratio, 3 * ratio);
    }
    const colours = this.events.map((mark, index) => token(tickColour(mark.kind, index)));
    this.events.forEach((kind, index) => {
      const counts = new Map();
      for (const mark of store.marks) {
        if (mark.kind !== kind.kind) continue;
        const x = Math.round(plot.valToPos(mark.t_ns / 1e9, "x", true));
        if (x >= left && x <= left + width) counts.set(x, (counts.get(x) || 0) + 1);
      }
      pen.fillStyle = colours[index];
      const y = top + height - (index + 1) * 6 * ratio;
      for (const [x, count] of counts) {
        pen.globalAlpha = Math.min(1, 0.35 + count / 6);
        pen.fillRect(x, y, ratio, 5 * ratio);
      }
      pen.globalAlpha = 1;
    });
  }

  /**
   * List the legend's entries.
   * @param {Meta} meta
   * @returns {Key[]}
   */
  #listKeys(meta) {
    const bandHelp = (/** @type {string} */ name) => meta.maps.find((map) => map.switch === name)?.help;
    return [
      ...(this.share ? [{ kind: "data", text: this.share.label }] : []),
      ...(this.amount ? [{ kind: "second", text: this.amount.label }] : []),
      ...this.switches.map(({ label, name }) => ({ kind: "band", text: label, help: bandHelp(name) })),
      ...this.events.map(({ label, help, kind }, index) => {
        return { kind: "tick", text: label, help, colour: tickColour(kind, index) };
      }),
      ...(this.planned.length ? [{ kind: "planned", text: gettext("Planned"), help: plannedWords(this.planned) }] : []),
    ];
  }

  /** Move the playhead. */
  moveTo(/** @type {number} */ t_ns) {
    this.t_ns = t_ns;
    this.#place();
  }

  #place() {
    if (!this.plot || !this.store?.count) return;
    const x = this.plot.valToPos(this.t_ns / 1e9, "x");
    const width = this.plot.over.clientWidth;
    this.head.hidden = x < -1 || x > width + 1;
    this.head.style.transform = `translateX(${x}px)`;
  }

  #timeAt(/** @type {MouseEvent} */ event) {
    if (!this.plot) return 0;
    const box = this.plot.over.getBoundingClientRect();
    return this.plot.posToVal(Math.min(Math.max(0, event.clientX - box.left), box.width), "x") * 1e9;
  }

  /** Return the instant under the pointer with the values of both lines. */
  #words(/** @type {number} */ t_ns) {
    const { meta, plot, store } = this;
    const parts = [this.share, this.amount].map((series) => {
      const points = series ? store?.series[series.name] : null;
      const place = points ? countUpTo(points.t, t_ns) - 1 : -1;
      if (!series || !points || place < 0 || t_ns > (store?.endNs ?? 0)) return "";
      return `${midSentence(series.label)} ${series.unit === "1" ? percent(points.v[place]) : whole(points.v[place])}`;
    });
    const [from, to] = this.span || [0, this.end];
    const near =
      meta && plot && store ? wholeNear(meta, store.marks, t_ns, ((to - from) * 3) / plot.over.clientWidth) : null;
    const said = near ? meta?.marks.find((mark) => mark.kind === near.kind)?.label : "";
    return [clock(t_ns, this.end), ...parts, said].filter(Boolean).join(" · ");
  }

  #listen() {
    this.plotBox.addEventListener("pointerdown", (event) => {
      if (!this.plot || event.button !== 0) return;
      event.preventDefault();
      this.plotBox.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.onScrub(this.#timeAt(event));
    });
    this.plotBox.addEventListener("pointermove", (event) => {
      if (!this.plot) return;
      if (this.dragging) this.onScrub(this.#timeAt(event));
      const box = this.plot.over.getBoundingClientRect();
      this.ghost.hidden = this.dragging || event.clientX < box.left || event.clientX > box.right;
      this.ghost.style.transform = `translateX(${event.clientX - box.left}px)`;
      this.ghost.dataset.time = this.#words(this.#timeAt(event));
      this.ghost.classList.toggle("leftwards", event.clientX > box.left + box.width * 0.6);
    });
    for (const name of ["pointerup", "pointercancel"])
      this.plotBox.addEventListener(name, () => {
        this.dragging = false;
      });
    this.plotBox.addEventListener("pointerleave", () => {
      this.ghost.hidden = true;
    });
    this.plotBox.addEventListener("dblclick", () => {
      this.span = null;
      this.#push();
    });
    this.plotBox.addEventListener(
      "wheel",
      (event) => {
        if (!this.plot) return;
        event.preventDefault();
        const span = zoomSpan(this.span || [0, this.end], this.#timeAt(event), event.deltaY > 0 ? 1.25 : 0.8, this.end);
        this.span = span[0] === 0 && span[1] === this.end ? null : span;
        this.#push();
      },
      { passive: false },
    );
  }
}

const legendView = (/** @type {Key[]} */ keys) => html`<div class="timeline-legend">${keys.map(keyView)}</div>`;

/** @param {Key} key */
function keyView({ kind, text, help, colour }) {
  const of = colour ? ` timeline-tick-${colour}` : "";
  return html`<span class="timeline-key timeline-key-${kind}${of}" data-tip=${ifDefined(help || undefined)}
    >${text}</span
  >`;
}

const nothingView = () =>
  html`<p class="timeline-nothing"
    >${gettext("The timeline appears here. Drag to scrub, use the wheel to zoom.")}</p
  >`;

/** Return the axes: time below, fractions on the left, amounts on the right. */
function axes() {
  const common = { stroke: token("muted"), font: `${AXIS_SIZE}px ${FONT}`, ticks: { show: false } };
  return [
    {
      ...common,
      size: 20,
      gap: 2,
      space: 80,
      grid: { show: false },
      incrs: STEPS_S,
      values: (
        /** @type {unknown} */ _,
        /** @type {number[]} */ splits,
        /** @type {unknown} */ __,
        /** @type {unknown} */ ___,
        /** @type {number} */ step,
      ) => splits.map((s) => axisTime(s, step, splits[splits.length - 1])),
    },
    {
      ...common,
      scale: "share",
      size: 48,
      gap: 4,
      splits: () => [0, 0.5, 1],
      grid: { stroke: token("line"), width: 1 },
      values: (/** @type {unknown} */ _, /** @type {number[]} */ splits) =>
        splits.map((v) => (v === 0 ? "" : percent(v))),
    },
    {
      ...common,
      scale: "amount",
      side: 1,
      size: 48,
      gap: 4,
      space: 24,
      grid: { show: false },
      values: (/** @type {unknown} */ _, /** @type {number[]} */ splits) =>
        splits.map((v) => (v === 0 ? "" : short(v))),
    },
  ];
}

/** List the first planned events, for a tooltip. */
function plannedWords(/** @type {Planned[]} */ planned) {
  const told = planned.slice(0, 6).map(({ t_ns, words }) => `${clock(t_ns)} ${words}`);
  const left = planned.length - told.length;
  return `${told.join("; ")}${left > 0 ? gettext("; {count} more", { count: left }) : ""}.`;
}
