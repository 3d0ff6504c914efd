/**
 * Pictures of job graphs, networks, pipelines and messages. Their modules load when a run needs them. A run with only
 * messages (or a reason for their absence) gets just their tab; the modules load when a user opens it.
 */

import { part } from "../kit/dom.js";
import { gettext } from "../kit/words.js";
import { html, made, watch } from "../kit/view.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { RunSession } from "../run/run_session.js"
 * @import { Studio } from "./store.js"
 */

const needed = (/** @type {Meta} */ meta) => meta.graphs || meta.network || meta.scheduler?.composes;

export class Pictures {
  /** @type {Promise<[typeof import("../features/graphs/desk.js"), typeof import("./picture_list.js")]> | null} */
  #modules = null;
  /** @type {HTMLElement | null} */
  #light = null;
  /**
   * Reserve the space of the tabs and of the initial picture until they load: the page contains it from the start, so
   * that the map does not move.
   * @type {HTMLElement[]}
   */
  #room = [...document.querySelectorAll("[data-room]")];

  /** @param {Studio} studio */
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    watch(
      () => studio.meta.value,
      (meta) => meta && this.#describe(meta),
    );
    watch(
      () => studio.news.value,
      (news) => news && studio.desk.value?.state(news.session),
    );
  }

  /** Return the initial picture; a signature opens its picture even if the address names none. */
  get #first() {
    const { boot, view } = this.studio;
    return view.picture ?? boot.signature?.opens.view ?? null;
  }

  #clearRoom() {
    if (this.#room.length > 1) document.body.classList.remove("shows-picture");
    for (const element of this.#room.splice(0)) element.remove();
  }

  async #load() {
    const { studio } = this;
    this.#modules ??= Promise.all([import("../features/graphs/desk.js"), import("./picture_list.js")]);
    const [{ Desk }, { PICTURES }] = await this.#modules;
    this.#dim();
    const desk = studio.desk.value ?? new Desk(studio, PICTURES, { ...studio.view, picture: this.#first });
    studio.desk.value = desk;
    return desk;
  }

  /** Open a picture by its name; `task`: a message board with only the messages about it. */
  async open(/** @type {string} */ id, task = null) {
    const { studio } = this;
    const meta = studio.meta.value;
    const fresh = !studio.desk.value;
    const desk = await this.#load();
    if (fresh && meta && studio.meta.value === meta) desk.describe(meta);
    if (task === null) desk.show(id);
    else desk.messagesOf(task);
    document.getElementById(`tab-${id}`)?.focus();
  }

  /** Remove the light tabs: there is nothing to show, or the desk has its own. */
  #dim() {
    this.#clearRoom();
    this.#light?.remove();
    this.#light = null;
    if (!this.studio.desk.value) document.body.classList.remove("has-pictures");
  }

  #shine() {
    if (this.#light) return;
    this.#clearRoom();
    const open = () => this.open("messages");
    const onkeydown = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
      event.preventDefault();
      event.stopPropagation();
      open();
    };
    /** @type {HTMLElement} */
    const light = made(
      () => html`
        <div class="picture-tabs" role="tablist" aria-label=${gettext("Pictures")} @keydown=${onkeydown}
          >${tabView("machines", gettext("Machines"), true, null)}${tabView(
            "messages",
            gettext("Messages"),
            false,
            open,
          )}</div
        >`,
    );
    this.#light = light;
    part(".centre").prepend(light);
    document.body.classList.add("has-pictures");
  }

  /** Update the tabs for another run. */
  async #describe(/** @type {Meta} */ meta) {
    const { studio } = this;
    const told = meta.messages || meta.no_messages;
    if (!needed(meta) && !studio.desk.value && !(told && studio.view.picture === "messages")) {
      if (told) this.#shine();
      else this.#dim();
      return;
    }
    const desk = await this.#load();
    if (studio.meta.value === meta) desk.describe(meta);
  }
}

/**
 * @param {string} id
 * @param {string} title
 * @param {boolean} chosen
 * @param {(() => void) | null} act
 */
const tabView = (id, title, chosen, act) => html`
  <button
    type="button"
    class="tab"
    role="tab"
    id=${`tab-${id}`}
    aria-selected=${String(chosen)}
    tabindex=${chosen ? "0" : "-1"}
    @click=${act}
    >${title}</button
  >`;
