/**
 * Run event loops from their modules, call by call, as an engine of a run in Python: node and browsers, in tests.
 * A call gets all arrays as they are before it, and gives them back as they are after it.
 */

const [PAGE, LINE] = [1 << 16, 64];

const lines = (size) => Math.ceil(size / LINE) * LINE + LINE;

export class Loops {
  #modules = new Map();
  /** One memory serves all loops: what an earlier run has left in it must not matter. */
  #memory = new WebAssembly.Memory({ initial: 64 });
  #name = "";
  #exports = null;

  /** Compile a module. */
  async add(name, bytes) {
    this.#modules.set(name, await WebAssembly.compile(bytes));
  }

  /**
   * Call a loop once. `groups` has the named tuples, and in each the arrays in order: items, bytes of one, shape and
   * strides; `bytes` has their contents one behind the other.
   */
  async call({ module, groups, until_ns, events }, bytes) {
    await this.#choose(module);
    const { run, heap } = this.#exports;
    const result = heap.value;
    this.#grow(groups.flat().reduce((sum, each) => sum + lines(each.items * each.bytes), result + PAGE));
    const view = new DataView(this.#memory.buffer);
    const all = new Uint8Array(this.#memory.buffer);
    // The result and the error lie first, then the words of the arrays, then the arrays.
    let [word, end, read] = [result + LINE, result + PAGE, 0];
    const places = [];
    const begins = groups.map((arrays) => {
      const begin = word;
      for (const array of arrays) {
        const size = array.items * array.bytes;
        all.set(bytes.subarray(read, read + size), end);
        places.push([end, size]);
        for (const value of [0, 0, array.items, array.bytes, end, ...array.shape, ...array.strides]) {
          view.setBigInt64(word, BigInt(value), true);
          word += 8;
        }
        read += size;
        end += lines(size);
      }
      return begin;
    });
    const status = run(result, result + 16, ...begins, BigInt(until_ns), BigInt(events));
    if (status !== 0) throw new Error(`the loop raised an error, status ${status}`);
    const after = new Uint8Array(read);
    let written = 0;
    for (const [place, size] of places) {
      after.set(all.subarray(place, place + size), written);
      written += size;
    }
    return { reason: Number(view.getBigInt64(result, true)), after };
  }

  async #choose(name) {
    if (name === this.#name) return;
    const imports = { env: { memory: this.#memory } };
    this.#exports = (await WebAssembly.instantiate(this.#modules.get(name), imports)).exports;
    this.#name = name;
  }

  #grow(size) {
    const missing = Math.ceil(size / PAGE) - this.#memory.buffer.byteLength / PAGE;
    if (missing > 0) this.#memory.grow(missing);
  }
}
