/**
 * The key of the pseudonyms. It stays in this browser, unless its owner saves it as a file: the same key gives the same
 * pseudonyms in another browser and on the command line (`import-cluster --names-key FILE`).
 */

import { element, html, nothing, signal } from "../../kit/view.js";
import { save } from "../../kit/saving.js";
import { gettext } from "../../kit/words.js";
import { Names } from "./cluster_filter.js";

const KEPT_KEY = "playground.names-key";
const FILE = "cluster.names-key";
const MOST_FILE_BYTES = 1000;
/** Kinds of names by source, which pseudonyms begin with. @type {Record<string, string[]>} */
const KINDS = {
  kubernetes: ["node", "ns", "pod", "owner", "key", "v", "class", "resource", "address"],
  slurm: ["node", "partition", "account", "user", "qos"],
};

/** Return the kept key as 64 hexadecimal digits; "" if this browser has none. */
function keptKey() {
  return keyIn(localStorage.getItem(KEPT_KEY) ?? "");
}

/** Return the key in a file's text; "" if it holds none. */
export function keyIn(/** @type {string} */ text) {
  const key = text.trim().toLowerCase();
  return /^[0-9a-f]{64}$/.test(key) ? key : "";
}

/** Return the key's bytes. @param {string} key */
export function bytesOf(key) {
  return Uint8Array.from(key.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Return the key of this browser, and make one if there is none. */
export function ownKey() {
  const kept = keptKey();
  if (kept) return bytesOf(kept);
  const made = crypto.getRandomValues(new Uint8Array(32));
  localStorage.setItem(KEPT_KEY, [...made].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
  return made;
}

/**
 * Return the pseudonyms that a name has as each kind of a source's names.
 * @param {string} name
 * @param {string} source  "kubernetes" or "slurm"
 */
export async function pseudonymsOf(name, source, key = ownKey()) {
  const names = await Names.by(key);
  return Promise.all((KINDS[source] ?? KINDS.kubernetes).map((kind) => names.of(kind, name)));
}

/** A part of a cluster's page: save or replace the key, and look a name up. */
class NamesPart {
  constructor(/** @type {string} */ source) {
    this.source = source;
    this.said = signal("");
    this.isWrong = signal(false);
    this.found = signal(/** @type {string[]} */ ([]));
    /** The name that was typed last. */
    this.looked = "";
    this.element = element("details", "names-part", () => this.#view());
  }

  #view() {
    return html`<summary>${gettext("Names and their key")}</summary>
      <p class="trace-words"
        >${gettext(
          "Names are pseudonyms, made with a key that only this browser has. With the same key, the same name has " +
            "the " +
            "same pseudonym in every import; without it, nobody can recompute a name.",
        )}</p
      >
      <div class="trace-buttons">
        <button class="button" type="button" data-save-key @click=${() => this.#save()}
          >${gettext("Save the key…")}</button
        >
        <label class="button"
          >${gettext("Use another key…")}<input
            class="visually-hidden"
            type="file"
            data-use-key
            @change=${(/** @type {Event & {target: HTMLInputElement}} */ event) => this.#use(event.target)}
        /></label>
        <label class="names-look"
          >${gettext("Name")}
          <input
            class="field"
            data-look-name
            autocomplete="off"
            spellcheck="false"
            @input=${(/** @type {Event & {target: HTMLInputElement}} */ event) => this.#look(event.target.value)}
        /></label>
      </div>
      <p class=${this.isWrong.value ? "trace-said is-wrong" : "trace-said"} role="status" data-key-said
        >${this.said.value}</p
      >
      ${
        this.found.value.length
          ? html`<p class="names-found" role="status" data-pseudonyms
              >${gettext("Its pseudonyms, by what it names:")} ${this.found.value.join(", ")}</p
            >`
          : nothing
      }`;
  }

  #save() {
    const key = keptKey();
    if (key) save(FILE, new Blob([`${key}\n`], { type: "text/plain" }));
  }

  /** @param {HTMLInputElement} input */
  async #use(input) {
    const [file] = input.files ?? [];
    const key = file && file.size <= MOST_FILE_BYTES ? keyIn(await file.text()) : "";
    input.value = "";
    this.isWrong.value = !key;
    if (!key) {
      this.said.value = gettext("This file holds no key: 64 hexadecimal digits, as “Save the key” writes them.");
      return;
    }
    localStorage.setItem(KEPT_KEY, key);
    this.found.value = [];
    this.said.value = gettext("The next imports in this browser use this key.");
  }

  async #look(/** @type {string} */ typed) {
    const name = typed.trim();
    this.looked = name;
    const found = name ? await pseudonymsOf(name, this.source) : [];
    if (this.looked === name) this.found.value = found;
  }
}

/** Return the part about names; null in a browser without a key, whose visitor did not import a cluster. */
export function namesPart(/** @type {string} */ source) {
  return keptKey() && globalThis.crypto?.subtle ? new NamesPart(source).element : null;
}
