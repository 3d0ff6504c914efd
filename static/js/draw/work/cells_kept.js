/**
 * Keeps painted cells on a canvas, so that unchanged cells are not repainted. The caller registers the content of each
 * cell. It repaints the cells whose content changed, and in the others only the slices that became shorter.
 */

/** @typedef {import("./scene.js").TasksScene} TasksScene */

export class KeptCells {
  /** The painted content of each machine's cell, and the content to paint. */
  #drawn = new Int32Array(0);
  #wanted = new Int32Array(0);
  /** @type {unknown[]} */
  #of = [];
  /** The painted width of each task's remaining time, by row. */
  widths = new Int16Array(0);
  /** @type {HTMLCanvasElement | null} */
  canvas = null;

  /**
   * Begin a frame. Forget all painted cells if cells moved or colors changed.
   *
   * @param {TasksScene} scene
   * @returns {CanvasRenderingContext2D | null} the canvas's context; null if every frame must paint everything: without
   *   a document, and on a map without a size, such as one in a hidden part of the page
   */
  begin({ canvas, plan, inks, track }) {
    if (!globalThis.document || !plan || !canvas.width || !canvas.height) return null;
    this.canvas ??= document.createElement("canvas");
    if (!this.canvas.getContext) return null;
    const of = [plan, inks, track, canvas.width, canvas.height];
    if (of.some((each, place) => each !== this.#of[place])) {
      this.#of = of;
      [this.canvas.width, this.canvas.height] = [canvas.width, canvas.height]; // resizing clears the canvas
      this.#drawn = new Int32Array(plan.x.length);
      this.#wanted = new Int32Array(plan.x.length);
      this.widths = new Int16Array(track?.arrival.length ?? 0);
    }
    this.#wanted.fill(1); // 0 means not painted
    return this.canvas.getContext("2d");
  }

  /**
   * Add a number to the content hash of a machine's cell. Slice widths are not part of it.
   * @param {number} machine
   * @param {number} value
   */
  note(machine, value) {
    this.#wanted[machine] = Math.imul(this.#wanted[machine] ^ value, 0x01000193) + 0x9e3779b9;
  }

  /** Return true if a machine's cell needs repainting. @param {number} machine */
  changed(machine) {
    return this.#wanted[machine] !== this.#drawn[machine];
  }

  /** End the frame: all changed cells are painted. */
  end() {
    [this.#drawn, this.#wanted] = [this.#wanted, this.#drawn];
  }
}
