/** The lesson editor: steps from the gallery or recorded in the studio, their questions, import, export, and a try. */

import { problemText } from "../experiment/problems.js";
import { AskForm } from "../features/classes/ask_form.js";
import * as classes from "../features/classes/class_api.js";
import { ExploreDesk } from "../features/classes/explore_desk.js";
import * as drafts from "../features/classes/lesson_draft.js";
import { stepItems } from "../features/classes/lesson_steps.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { find, h } from "../kit/dom.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { gettext } from "../kit/words.js";

/**
 * @import { Problem } from "../experiment/problems.js"
 * @import { Draft, Step } from "../features/classes/lesson_draft.js"
 */

/** @type {Record<string, (boot: any) => drafts.Step>} */
const FIRST = {
  show: ({ gallery }) => ({ show: { gallery: gallery[0].name }, minutes: 3 }),
  question: () => ({ question: { kind: "choice", text: "" }, minutes: 3 }),
  explore: () => ({ explore: { parameters: [] }, minutes: 3 }),
  challenge: ({ challenges }) => ({ challenge: challenges[0].name, minutes: 5 }),
  text: () => ({ text: "", minutes: 1 }),
};

/** Fields of the lesson itself: those of one line, and those with a line for each entry. */
const WORDS = /** @type {const} */ (["title", "point"]);
const LINES = /** @type {const} */ (["aims", "guesses"]);

class LessonEditor {
  constructor(/** @type {any} */ boot) {
    const { gallery, lessons, measures, challenges } = boot;
    this.gallery = gallery;
    this.challenges = challenges;
    this.measures = measures;
    this.draft = drafts.readDraft();
    for (const { name, title } of lessons) find("ready").append(h("option", { value: name }, title));
    for (const name of Object.keys(FIRST))
      find(`add-${name}`).addEventListener("click", () => this.#add(FIRST[name](boot)));
    for (const name of LINES)
      find(name).addEventListener("change", () => this.#set({ [name]: find(name).value.split("\n") }));
    for (const name of WORDS) find(name).addEventListener("change", () => this.#set({ [name]: find(name).value }));
    find("take").addEventListener("click", () => this.#take({ name: find("ready").value }));
    find("import").addEventListener("change", async () => {
      const [file] = find("import").files;
      if (file) await this.#take({ file: await file.text() });
      find("import").value = "";
    });
    find("export").addEventListener("click", () => this.#act(() => this.#save()));
    find("try").addEventListener("click", () => this.#act(() => this.#try()));
    find("empty").addEventListener("click", () => this.#set(drafts.emptyDraft()));
    drafts.onDraft((draft) => {
      this.draft = draft;
      this.#draw();
    });
    this.#draw();
  }

  #set(/** @type {Partial<Draft>} */ changes) {
    this.#keep(changes);
    this.#draw();
  }

  #keep(/** @type {Partial<Draft>} */ changes) {
    this.draft = { ...this.draft, ...changes };
    find("minutes").textContent = gettext("{minutes} min", { minutes: drafts.minutesOf(this.draft.steps) });
    if (!drafts.keepDraft(this.draft)) this.#say(gettext("This browser does not keep the draft. Save it as a file."));
  }

  #add(/** @type {Step} */ step) {
    this.#set({ steps: [...this.draft.steps, step] });
    const last = find("steps").lastElementChild;
    last?.scrollIntoView({ block: "nearest" });
    last?.querySelector("input, select, textarea")?.focus();
  }

  /**
   * @param {number} at
   * @param {Partial<Step>} changes
   */
  #with(at, changes) {
    return { steps: this.draft.steps.map((one, place) => (place === at ? { ...one, ...changes } : one)) };
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #move(from, to) {
    const { steps } = this.draft;
    if (to < 0 || to >= steps.length) return;
    this.#set({ steps: drafts.moved(steps, from, to) });
    this.#focus(to, to < from ? "up" : "down");
    this.#say(gettext("Step {from} is step {to} now.", { from: from + 1, to: to + 1 }));
  }

  /**
   * Leave the keyboard at the step that was moved.
   * @param {number} at
   * @param {string} act
   */
  #focus(at, act) {
    const item = find("steps").children[at];
    const button = item?.querySelector(`[data-act=${act}]:enabled`) ?? item?.querySelector("[data-act]:enabled");
    button?.focus();
  }

  async #act(/** @type {() => Promise<any>} */ work) {
    this.#say("");
    try {
      await work();
    } catch (/** @type {any} */ error) {
      const told = (error.problems ?? []).map((/** @type {Problem} */ one) =>
        problemText({ ...one, label: one.label || one.path }),
      );
      this.#say([told.length ? `${error.message}:` : error.message, ...told].join("\n"));
    }
  }

  #take(/** @type {{name?: string, file?: string}} */ named) {
    return this.#act(async () => {
      const { lesson } = await classes.readLesson(named);
      this.#set({ ...drafts.emptyDraft(), ...lesson });
    });
  }

  async #save() {
    const { file } = await classes.writeLesson(drafts.lessonOf(this.draft));
    const blob = new Blob([file], { type: "application/yaml" });
    const link = h("a", { href: URL.createObjectURL(blob), download: "lesson.yaml" });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Open a class with the lesson, and join it in this browser. */
  async #try() {
    const lesson = drafts.lessonOf(this.draft);
    const { file } = await classes.writeLesson(lesson);
    const made = await classes.openClass();
    await classes.beginLesson(made.id, { file });
    await classes.joinClass(made.code, gettext("Trial"));
    find("tried").hidden = false;
    find("try-teach").href = `/classes/${made.id}/teach`;
    find("try-student").href = `/classes/${made.id}`;
    find("try-student").focus();
  }

  #draw() {
    const { steps } = this.draft;
    for (const name of [...WORDS, ...LINES])
      if (find(name) !== document.activeElement) find(name).value = [this.draft[name]].flat().join("\n");
    this.#keep({});
    find("none").hidden = steps.length > 0;
    find("steps").replaceChildren(
      ...stepItems(steps, {
        // The fields stay as they are: somebody types in them.
        change: (at, changes) => this.#keep(this.#with(at, changes)),
        move: (from, to) => this.#move(from, to),
        remove: (at) => this.#set({ steps: steps.filter((_, place) => place !== at) }),
        formOf: (at) => this.#formOf(at),
        words: (step) => this.#words(step),
      }),
    );
  }

  #words(/** @type {drafts.Step} */ { show, question }) {
    if (question) return question.text;
    if (!show) return "";
    const name =
      this.gallery.find((/** @type {Record<string, any>} */ one) => one.name === show.gallery)?.question ??
      show.experiment?.name ??
      "";
    const at = show.at_s ? gettext("at {seconds} s", { seconds: show.at_s }) : "";
    return [name || gettext("Untitled"), at].filter(Boolean).join(" · ");
  }

  /** The experiment that a step is about: what the last step before it shows. */
  #about(/** @type {number} */ at) {
    const show = drafts.shownBefore(this.draft.steps, at);
    return (
      show?.experiment ??
      this.gallery.find((/** @type {Record<string, any>} */ one) => one.name === show?.gallery)?.experiment ??
      null
    );
  }

  #formOf(/** @type {number} */ at) {
    const step = this.draft.steps[at];
    const kind = drafts.kindOf(step);
    if (kind === "show") return this.#showForm(at, step);
    if (kind === "text") return null;
    if (kind === "challenge") return this.#challengeForm(at, step);
    const about = this.#about(at);
    if (!about)
      return h("p", { class: "class-said", role: "alert" }, gettext("Put a step that shows a run before this one."));
    const form = kind === "question" ? this.#questionForm(at, step, about) : this.#exploreForm(at, step, about);
    const isNew = kind === "question" ? !step.question.text : !step.explore.parameters.length;
    return h("details", { class: "desk-new", open: isNew }, h("summary", {}, gettext("Edit")), form);
  }

  /**
   * @param {number} at
   * @param {Step} step
   */
  #showForm(at, step) {
    const select = h(
      "select",
      { class: "picture-select", "data-name": "gallery" },
      step.show.experiment ? h("option", { value: "" }, gettext("Recorded in the studio")) : null,
      this.gallery.map((/** @type {Record<string, any>} */ { name, question }) =>
        h("option", { value: name }, question),
      ),
    );
    select.value = step.show.gallery ?? "";
    select.addEventListener("change", () => this.#set(this.#with(at, { show: { gallery: select.value } })));
    const from = h("input", {
      class: "field",
      type: "number",
      min: 0,
      step: "any",
      value: String(step.show.at_s ?? ""),
    });
    from.addEventListener("change", () => {
      const { at_s: _, ...show } = this.draft.steps[at].show;
      this.#keep(this.#with(at, { show: from.value === "" ? show : { ...show, at_s: Number(from.value) } }));
    });
    return h(
      "div",
      { class: "lesson-fields" },
      h("label", { class: "ask-row" }, h("span", {}, gettext("Run")), select),
      h(
        "label",
        { class: "ask-row" },
        h("span", {}, gettext("Pause at (simulated seconds; leave empty to play)")),
        from,
      ),
    );
  }

  /**
   * @param {number} at
   * @param {Step} step
   */
  #challengeForm(at, step) {
    const options = this.challenges.map((/** @type {Record<string, any>} */ { name, title }) =>
      h("option", { value: name }, title),
    );
    const select = h("select", { class: "picture-select", "data-name": "challenge" }, options);
    select.value = step.challenge ?? "";
    select.addEventListener("change", () => this.#keep(this.#with(at, { challenge: select.value })));
    return h("label", { class: "ask-row" }, h("span", {}, gettext("Challenge")), select);
  }

  /**
   * @param {number} at
   * @param {Step} step
   * @param {any} about
   */
  #questionForm(at, step, about) {
    const save = async (/** @type {any} */ question) => {
      // A lesson of this question alone: the server says what is wrong with it, beside the form.
      await classes.writeLesson({ title: "-", steps: [{ question }] });
      this.#set(this.#with(at, { question }));
    };
    const form = new AskForm(save, gettext("Save the question"));
    form.about(about, step.question.text ? step.question : null);
    return form.element;
  }

  /**
   * @param {number} at
   * @param {Step} step
   * @param {any} about
   */
  #exploreForm(at, step, about) {
    const keep = (/** @type {any} */ explore) => this.#set(this.#with(at, { explore }));
    const form = new ExploreDesk(this.measures, { begin: keep, open: () => {} }, gettext("Save the parameters"));
    form.about(about, step.explore.parameters.length ? step.explore : null);
    return form.element;
  }

  #say(/** @type {string} */ text) {
    find("said").textContent = text;
  }
}

wireTheme();
wireGlossaryAndTips();
wirePageKeys("lesson_editor");
new LessonEditor(bootData());
