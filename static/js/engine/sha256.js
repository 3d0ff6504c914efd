/**
 * SHA-256 (FIPS 180-4). Browsers offer their own only to pages that came over HTTPS or from this machine; a class
 * opens the playground by plain HTTP in its own network.
 */

/** Return the first 32 bits of the fractional part of a root of each of the first 64 primes. */
function fractions(/** @type {(prime: number) => number} */ root) {
  const primes = /** @type {number[]} */ ([]);
  for (let number = 2; primes.length < 64; number++) if (primes.every((prime) => number % prime)) primes.push(number);
  return primes.map((prime) => (root(prime) % 1) * 2 ** 32);
}

// With a sign: browsers compute with such numbers fastest. Sums wrap to the same bits.
const ROUNDS = Int32Array.from(fractions(Math.cbrt));
const FIRST = Int32Array.from(fractions(Math.sqrt).slice(0, 8));

const turned = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));

const words = new Int32Array(64);

/** Mix the next 64 bytes of a message into the state. */
function mix(/** @type {Int32Array} */ state, /** @type {DataView} */ message, /** @type {number} */ at) {
  for (let i = 0; i < 16; i++) words[i] = message.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15], words[i - 2]];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16] + first + words[i - 7] + second;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g);
    const more = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUNDS[i] + words[i]) | 0;
    const most = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + more) | 0;
    d = c;
    c = b;
    b = a;
    a = (more + (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** Return the digest of bytes as 64 hexadecimal digits. */
export function sha256(/** @type {Uint8Array} */ bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const message = new DataView(padded.buffer);
  message.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = FIRST.slice();
  for (let at = 0; at < padded.length; at += 64) mix(state, message, at);
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
