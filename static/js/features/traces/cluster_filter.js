/**
 * Filter a Kubernetes cluster's objects before anything leaves the browser: only allowed fields remain, with pseudonyms
 * for names. The list is the library's own (cluster_allowed.js is generated from it).
 */

import { gettext } from "../../kit/words.js";
import { ALLOWED } from "./cluster_allowed.js";

const HEX_DIGITS = 12;
const MOST_DEPTH = 64;
const MOST_OBJECT_BYTES = 4_000_000;
const MOST_LABELS = 256;
const MOST_FIELDS = 200;
/** Of each field that is not understood, so many objects are named. */
const MOST_SHOWN = 5;
const MARK = "SchedulerPlaygroundFile";
const WORDS = new Set(ALLOWED.words);
const KEYS = new Set(ALLOWED.keys);
const RESOURCES = new Set(ALLOWED.resources);
const VALUES = new Set(ALLOWED.values);
const INTEGER = /^-?[0-9]{1,9}$/;
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$/;
const QUANTITY = /^[+]?[0-9]{0,20}(\.[0-9]{0,20})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?$/;
const FIELD = /^[A-Za-z][A-Za-z0-9]{0,62}$/;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [34, 92, 91, 93, 123, 125];

/** @typedef {Record<string, unknown>} Fields */
/** @typedef {string | Tree[] | {[field: string]: Tree}} Tree  the kept fields, and what each may hold */

/** Keyed pseudonyms, equal to the library's: HMAC-SHA-256 of the kind and the name. */
export class Names {
  /** @param {CryptoKey} key */
  constructor(key) {
    this.key = key;
    /** @type {Map<string, string>} */
    this.known = new Map();
  }

  /** @param {Uint8Array<ArrayBuffer>} secret */
  static async by(secret) {
    return new Names(await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]));
  }

  /**
   * @param {string} kind
   * @param {string} name
   */
  async of(kind, name) {
    if (!name) return name;
    const whole = `${kind}:${name}`;
    let found = this.known.get(whole);
    if (found === undefined) {
      const digest = new Uint8Array(await crypto.subtle.sign("HMAC", this.key, new TextEncoder().encode(whole)));
      const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      found = `${kind}-${hex.slice(0, HEX_DIGITS)}`;
      this.known.set(whole, found);
    }
    return found;
  }

  /** @param {string} key */
  async ofKey(key) {
    return KEYS.has(key) ? key : this.of("key", key);
  }

  /** @param {string} value */
  async ofValue(value) {
    return VALUES.has(value) || INTEGER.test(value) ? value : this.of("v", value);
  }

  /** @param {string} name @returns {Promise<string>} */
  async ofResource(name) {
    for (const prefix of ["requests.", "limits."])
      if (name.startsWith(prefix)) return prefix + (await this.ofResource(name.slice(prefix.length)));
    return RESOURCES.has(name) ? name : this.of("resource", name);
  }
}

/**
 * Keeps the allowed fields of objects; `unknown` counts unrecognized values by field, `found` names some objects that
 * have them, by pseudonyms.
 */
export class Filter {
  /** @param {Names} names */
  constructor(names) {
    this.names = names;
    /** @type {Record<string, number>} */
    this.unknown = {};
    /** @type {Record<string, string[]>} */
    this.found = {};
    /** The object that is read, by its pseudonym. */
    this.said = "";
    this.objects = 0;
  }

  /** @param {string} field */
  count(field) {
    const known = field in this.unknown || Object.keys(this.unknown).length < MOST_FIELDS;
    const name = known ? field : "(other)";
    this.unknown[name] = (this.unknown[name] ?? 0) + 1;
    this.found[name] ??= [];
    const found = this.found[name];
    if (this.said && found.length < MOST_SHOWN && !found.includes(this.said)) found.push(this.said);
  }

  /**
   * Return the object with only its allowed fields; null for a kind that is not read.
   * @param {Fields} object
   */
  async whole(object) {
    const kind = typeof object?.kind === "string" ? object.kind : "";
    const tree = Object.hasOwn(ALLOWED.kinds, kind) ? ALLOWED.kinds[kind] : null;
    this.said = "";
    if (!tree) {
      if (!kind) this.count("(kind)");
      else if (!kind.endsWith("List") && !ALLOWED.ignored.includes(kind))
        this.count(["kind", await this.names.of("kind", kind)].join(" "));
      return null;
    }
    this.objects += 1;
    const name = /** @type {Fields | undefined} */ (object.metadata)?.name;
    this.said = typeof name === "string" ? `${kind} ${await this.names.of(kind.toLowerCase(), name)}` : kind;
    /** @type {Fields} */
    const kept = { kind };
    for (const [field, inner] of Object.entries(tree)) {
      const value = object[field];
      if (value === undefined || value === null) continue;
      const quiet = field !== "spec" || (kind !== "Pod" && kind !== "Node");
      const found = await this.part(inner, value, `${kind}.${field}`, quiet);
      if (found !== undefined) kept[field] = found;
    }
    return kept;
  }

  /**
   * @param {Tree} tree
   * @param {unknown} value
   * @param {string} path
   * @param {boolean} quiet  true: do not count fields outside the tree
   * @returns {Promise<unknown>} undefined for a value that is dropped
   */
  async part(tree, value, path, quiet) {
    if (Array.isArray(tree)) {
      if (!Array.isArray(value)) return this.wrong(path);
      const kept = [];
      for (const one of value) {
        const found = await this.part(tree[0], one, `${path}[]`, quiet);
        if (found !== undefined) kept.push(found);
      }
      return kept;
    }
    if (typeof tree === "object") return this.fields(tree, value, path, quiet);
    if (tree === "drop") return undefined;
    if (tree === "tell") {
      const empty = !value || (Array.isArray(value) && !value.length);
      return empty ? undefined : this.wrong(path);
    }
    if (tree === "volumes") {
      // A claim of storage may tie a pod to a zone.
      const claims = Array.isArray(value) && value.some((one) => one?.persistentVolumeClaim !== undefined);
      return claims ? this.wrong(`${path}[].persistentVolumeClaim`) : undefined;
    }
    return this.leaf(tree, value, path);
  }

  /**
   * @param {{[field: string]: Tree}} tree
   * @param {unknown} value
   * @param {string} path
   * @param {boolean} quiet
   */
  async fields(tree, value, path, quiet) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return this.wrong(path);
    /** @type {Fields} */
    const kept = {};
    const silent = quiet || path.endsWith("ontainers[]") || path.endsWith("ports[]");
    for (const [field, inner] of Object.entries(value)) {
      if (!Object.hasOwn(tree, field)) {
        if (!silent) this.count(FIELD.test(field) ? `${path}.${field}` : `${path}.(other)`);
      } else if (inner !== null) {
        const found = await this.part(tree[field], inner, `${path}.${field}`, quiet);
        if (found !== undefined) kept[field] = found;
      }
    }
    return kept;
  }

  /**
   * @param {string} leaf
   * @param {unknown} value
   * @param {string} path
   */
  async leaf(leaf, value, path) {
    if (leaf === "labels" || leaf === "resources") return this.table(leaf, value, path);
    if (leaf === "int") return Number.isSafeInteger(value) ? value : this.wrong(path);
    if (leaf === "bool") return typeof value === "boolean" ? value : this.wrong(path);
    if (typeof value !== "string") return this.wrong(path);
    if (leaf === "word") return WORDS.has(value) ? value : this.wrong(path);
    if (leaf === "time") return TIME.test(value) ? value : this.wrong(path);
    if (leaf === "kind") return WORDS.has(value) ? value : this.names.of("kind", value);
    // An empty address and 0.0.0.0 stand for all addresses of a node.
    if (leaf === "address") return ["", "0.0.0.0"].includes(value) ? value : this.names.of("address", value);
    if (leaf === "key") return this.names.ofKey(value);
    if (leaf === "value") return this.names.ofValue(value);
    if (leaf === "name:class" && ALLOWED.classes.includes(value)) return value;
    return this.names.of(leaf.slice("name:".length), value);
  }

  /**
   * @param {string} leaf
   * @param {unknown} value
   * @param {string} path
   */
  async table(leaf, value, path) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return this.wrong(path);
    const rows = Object.entries(value);
    if (leaf === "labels" && (rows.length > MOST_LABELS || rows.some(([, text]) => typeof text !== "string")))
      return this.wrong(path);
    /** @type {Fields} */
    const kept = {};
    for (const [name, text] of rows) {
      if (leaf === "labels") kept[await this.names.ofKey(name)] = await this.names.ofValue(text);
      else if (/[0-9]/.test(String(text)) && QUANTITY.test(String(text)))
        kept[await this.names.ofResource(name)] = String(text);
      else this.count(`${path}.(quantity)`);
    }
    return kept;
  }

  /** @param {string} path */
  wrong(path) {
    this.count(path);
    return undefined;
  }
}

/**
 * Splits JSON documents that arrive in pieces into objects: those of a top-level list, or whole documents. Throws if
 * brackets do not match, or if an object is nested too deeply or too large.
 */
export class Splitter {
  constructor() {
    this.rest = new Uint8Array();
    this.at = 0;
    this.depth = 0;
    this.inText = false;
    this.escaped = false;
    this.root = 0;
    this.inner = 0;
    this.start = -1;
    this.rootStart = -1;
    this.items = 0;
  }

  /**
   * Return the objects that end in the next bytes.
   * @param {Uint8Array} bytes
   * @returns {Fields[]}
   */
  push(bytes) {
    const block = new Uint8Array(this.rest.length + bytes.length);
    block.set(this.rest);
    block.set(bytes, this.rest.length);
    /** @type {Fields[]} */
    const found = [];
    const decoder = new TextDecoder();
    for (let i = this.at; i < block.length; i += 1) {
      const c = block[i];
      if (this.inText) {
        if (this.escaped) this.escaped = false;
        else if (c === BACKSLASH) this.escaped = true;
        else if (c === QUOTE) this.inText = false;
      } else if (c === QUOTE) this.inText = true;
      else if (c === OPEN || c === OPEN_LIST) this.#open(c, i);
      else if (c === CLOSE || c === CLOSE_LIST) {
        const begin = this.#close(i);
        if (begin >= 0) found.push(JSON.parse(decoder.decode(block.subarray(begin, i + 1))));
      } else if (this.depth === 0 && c > 32 && c !== 44)
        throw new SyntaxError(gettext("The file is not JSON: text stands outside of brackets."));
    }
    this.#carry(block);
    return found;
  }

  end() {
    if (this.depth || this.inText)
      throw new SyntaxError(gettext("The file ends in the middle of an object. Copy it again."));
  }

  /**
   * @param {number} c
   * @param {number} i
   */
  #open(c, i) {
    if (this.depth === 0) [this.root, this.inner, this.rootStart, this.items] = [c, 0, i, 0];
    else if (this.depth === 1) this.inner = c;
    const inside = this.root === OPEN_LIST ? this.depth === 1 : this.depth === 2 && this.inner === OPEN_LIST;
    if (inside && c === OPEN) {
      this.start = i;
      this.items += 1;
    }
    this.depth += 1;
    if (this.depth > MOST_DEPTH)
      throw new SyntaxError(gettext("The file has more than {most} levels of nesting.", { most: MOST_DEPTH }));
  }

  /**
   * Return where an object that ends here began; -1 if none does.
   * @param {number} i
   */
  #close(i) {
    this.depth -= 1;
    if (this.depth < 0) throw new SyntaxError(gettext("The file is not JSON: brackets do not match."));
    if (this.start >= 0 && this.depth === (this.root === OPEN_LIST ? 1 : 2)) {
      const begin = this.start;
      this.start = -1;
      return begin;
    }
    if (this.depth > 0) return -1;
    const begin = this.items === 0 && this.root === OPEN ? this.rootStart : -1;
    this.rootStart = -1;
    return i >= begin ? begin : -1;
  }

  /** @param {Uint8Array} block */
  #carry(block) {
    let first = block.length;
    if (this.start >= 0) first = this.start;
    else if (this.rootStart >= 0 && this.items === 0) first = this.rootStart;
    if (block.length - first > MOST_OBJECT_BYTES)
      throw new SyntaxError(gettext("One object of the file has more than {most} bytes.", { most: MOST_OBJECT_BYTES }));
    this.rest = block.slice(first);
    this.at = this.rest.length;
    if (this.start >= 0) this.start = 0;
    if (this.rootStart >= 0) this.rootStart = 0;
  }
}

/**
 * Return true if a file begins like kubectl's JSON output.
 * @param {Blob} file
 */
export async function isKubernetesJson(file) {
  const head = (await file.slice(0, 65_536).text()).trimStart();
  return /^[{[]/.test(head) && head.includes('"apiVersion"');
}

/**
 * Return true if a file begins like kubectl's YAML.
 * @param {Blob} file
 */
export async function isKubernetesYaml(file) {
  const head = await file.slice(0, 65_536).text();
  return /^(-\s+|\s*)apiVersion:\s/m.test(head) && !/^\s*[{[]/.test(head);
}

/**
 * Return one file with the filtered objects of several, one per line; a line with MARK begins each file.
 * @param {Blob[]} files
 * @param {Names} names
 * @param {(share: number) => void} [onShare]
 */
export async function filtered(files, names, onShare) {
  const filter = new Filter(names);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  /** @type {BlobPart[]} */
  const parts = [];
  let done = 0;
  /** @param {Fields[]} objects */
  const keep = async (objects) => {
    let lines = "";
    for (const object of objects) {
      const kept = await filter.whole(object);
      if (kept) lines += `${JSON.stringify(kept)}\n`;
    }
    if (lines) parts.push(lines);
  };
  for (const file of files) {
    parts.push(`${JSON.stringify({ kind: MARK })}\n`);
    if (await isKubernetesYaml(file)) {
      const { yamlObjects } = await import("./cluster_yaml.js");
      await keep(yamlObjects(await file.text()));
      done += file.size;
      onShare?.(done / total);
      continue;
    }
    const splitter = new Splitter();
    const reader = file.stream().getReader();
    for (;;) {
      const { value, done: over } = await reader.read();
      if (over) break;
      await keep(splitter.push(value));
      done += value.length;
      onShare?.(done / total);
    }
    splitter.end();
  }
  parts.push(`${JSON.stringify({ kind: MARK, notUnderstood: filter.unknown, notUnderstoodIn: filter.found })}\n`);
  return { blob: new Blob(parts), objects: filter.objects };
}
