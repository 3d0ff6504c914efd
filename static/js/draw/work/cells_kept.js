/**
 * Keeps cells on a canvas, so that a cell that looks as in the frame before is not drawn again. The caller notes the
 * content of each cell. It draws the cells with another content, and in the others only the slices that got shorter.
 */

/** @typedef {import("./scene.js").TasksScene} TasksScene */

export class KeptCells {
  /** What the cells on the canvas look like, by machine, and what they are to look like. */
  #drawn = new Int32Array(0);
  #wanted = new Int32Array(0);
  /** @type {unknown[]} */
  #of = [];
  /** How wide the time left of each task is drawn, by row. */
  widths = new Int16Array(0);
  /** @type {HTMLCanvasElement | null} */
  canvas = null;

  /**
   * Begin a frame. Everything is drawn anew where cells stand elsewhere or have other colors.
   *
   * @param {TasksScene} scene
   * @returns {CanvasRenderingContext2D | null} the pen of the canvas; null where all is drawn always: without a page,
   *   and on a map that has no room yet, as in a part of a page that is not shown
   */
  begin({ canvas, plan, inks, track }) {
    if (!globalThis.document || !plan || !canvas.width || !canvas.height) return null;
    this.canvas ??= document.createElement("canvas");
    if (!this.canvas.getContext) return null;
    const of = [plan, inks, track, canvas.width, canvas.height];
    if (of.some((each, place) => each !== this.#of[place])) {
      this.#of = of;
      [this.canvas.width, this.canvas.height] = [canvas.width, canvas.height]; // and with that it is empty
      this.#drawn = new Int32Array(plan.x.length);
      this.#wanted = new Int32Array(plan.x.length);
      this.widths = new Int16Array(track?.arrival.length ?? 0);
    }
    this.#wanted.fill(1); // 0 is what no cell looks like
    return this.canvas.getContext("2d");
  }

  /**
   * The look of a machine's cell depends on this number; how wide its slices are is not noted here.
   * @param {number} machine
   * @param {number} value
   */
  note(machine, value) {
    this.#wanted[machine] = Math.imul(this.#wanted[machine] ^ value, 0x01000193) + 0x9e3779b9;
  }

  /** Whether a machine's cell is to be drawn. @param {number} machine */
  changed(machine) {
    return this.#wanted[machine] !== this.#drawn[machine];
  }

  /** Everything that has changed is drawn. */
  end() {
    [this.#drawn, this.#wanted] = [this.#wanted, this.#drawn];
  }
}
