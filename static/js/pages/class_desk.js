/** The teacher's page of a class: its code, its contents, questions, and students. */

import { problemText } from "../experiment/problems.js";
import { AskForm } from "../features/classes/ask_form.js";
import * as classes from "../features/classes/class_api.js";
import { ClassSocket } from "../features/classes/class_socket.js";
import { drawList, lessonView, playedView, questionsView, studentsView } from "../features/classes/desk.js";
import { ExploreDesk } from "../features/classes/explore_desk.js";
import { getExperiment, isAway } from "../contract/api.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { wireTips } from "../kit/tips.js";
import { html, nothing, render } from "../kit/view.js";
import { gettext } from "../kit/words.js";

/**
 * @import { ClassNews } from "../contract/contract"
 * @import { ApiError, Failure } from "../contract/api.js"
 * @import { ClassChanges, NamedLesson, Teacher } from "../features/classes/class_api.js"
 */

/**
 * @typedef {{name: string, title: string}} Listed  a lesson or a challenge
 * @typedef {{class: string, gallery: {name: string, question: string, asked: string}[],
 *   lessons: (Listed & {minutes: number})[], measures: {name: string, label: string}[], challenges: Listed[]}} Boot
 */

/** While answers are computed the page polls, because studies send no messages to it. */
const LOOK_MS = 2000;
const HOLD_MS = 300;
const ASKED_MS = 5000;
const NO_WALL = { explore: null, spot: null, forks: [] };
/** Describe what the class sees. `run` is the name of its run. */
function seenWords(/** @type {ClassNews} */ { mode, question, challenge }, /** @type {string} */ run) {
  if (mode === "explore") return gettext("Students explore “{run}” by themselves.", { run });
  if (mode === "compete") return gettext("Students play the challenge “{title}”.", { title: challenge?.title ?? "" });
  if (mode === "follow") return gettext("Students see the run “{run}”.", { run });
  const of = { text: question?.text ?? "" };
  return question?.state === "revealed"
    ? gettext("Students see the result of the question “{text}”", of)
    : gettext("Students see the question “{text}”", of);
}

/**
 * Fill a select with options.
 * @template {{name: string}} T
 * @param {HTMLElement} place
 * @param {T[]} entries
 * @param {(entry: T) => string} words
 */
function offer(place, entries, words) {
  render(
    entries.map((entry) => html`<option value=${entry.name}>${words(entry)}</option>`),
    place,
  );
}

class Desk {
  constructor(/** @type {Boot} */ { class: classId, gallery, lessons, measures, challenges }) {
    this.classId = classId;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** The challenge that the class plays; empty for none. */
    this.playing = "";
    /** The experiment with a known name. @type {{id: string, name: string} | null} */
    this.named = null;
    this.form = new AskForm(async (question) => {
      await classes.ask(classId, question);
      await this.#read();
    });
    find("ask-place").append(this.form.element);
    this.exploring = new ExploreDesk(measures, {
      begin: (asked) => this.#act(() => classes.exploreClass(classId, asked)),
      open: (number) => this.#act(() => classes.openOnScreen(classId, number)),
    });
    find("explore-place").append(this.exploring.element);
    find("wall").append(this.exploring.wall);
    this.gallery = gallery;
    offer(find("gallery"), gallery, ({ question }) => question);
    offer(find("lessons"), lessons, ({ title, minutes }) => `${title} (${gettext("{minutes} min", { minutes })})`);
    offer(find("challenges"), challenges, ({ title }) => title);
    find("compete").addEventListener("click", () => this.#change({ challenge: find("challenges").value }));
    find("teach").addEventListener("click", () => this.#teach({ name: find("lessons").value }));
    find("lesson-file").addEventListener("change", async () => {
      const [file] = find("lesson-file").files;
      if (file) await this.#teach({ file: await file.text() });
      find("lesson-file").value = "";
    });
    find("show").addEventListener("click", () => this.#change({ gallery: find("gallery").value }));
    find("follow").addEventListener("click", () => this.#change({ mode: "follow" }));
    find("lock").addEventListener("change", () => this.#change({ locked: find("lock").checked }));
    find("named").addEventListener("change", () => this.#change({ anonymous: !find("named").checked }));
    find("delete").addEventListener("click", () => this.#delete());
    new ClassSocket(classId, {
      told: () => this.#soon(),
      link: (up) => {
        find("link").hidden = up;
      },
      ended: (_code, message) => this.#say(message || gettext("This class is over.")),
    });
    setInterval(() => {
      if (this.computing && document.visibilityState === "visible") this.#read();
    }, LOOK_MS);
  }

  /** Read the teacher's data after a short delay, because many students join at once. */
  #soon() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.#read();
    }, HOLD_MS);
  }

  async #read() {
    try {
      const told = await classes.readClass(this.classId);
      this.#draw(told);
      this.exploring.draw(told.news.explore ? await classes.readWall(this.classId) : NO_WALL);
    } catch (error) {
      if (!isAway(error)) this.#say(/** @type {ApiError} */ (error).message);
    }
  }

  async #act(/** @type {() => Promise<unknown>} */ work) {
    this.#say("");
    try {
      await work();
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      const told = (error.problems ?? []).map(problemText);
      this.#say([told.length ? `${error.message}:` : error.message, ...told].join(" "));
    }
    await this.#read();
  }

  async #teach(/** @type {NamedLesson} */ lesson) {
    find("teach").disabled = true;
    const began = this.#act(() => classes.beginLesson(this.classId, lesson));
    find("teaching").hidden = false;
    await began;
    find("teaching").hidden = true;
    find("teach").disabled = false;
  }

  #change(/** @type {ClassChanges} */ changes) {
    return this.#act(() => classes.changeClass(this.classId, changes));
  }

  #draw(/** @type {{news: ClassNews, teacher: Teacher}} */ { news, teacher }) {
    const { shown, mode, people, here, locked } = news;
    find("people").textContent = gettext("Students here: {here} of {people}", { here, people });
    find("lock").checked = locked;
    find("named").checked = !teacher.anonymous;
    this.#tellSeen(news);
    const { lesson, questions } = teacher;
    for (const name of ["lesson-export", "export-note"]) find(name).hidden = !lesson && !questions.length;
    find("handout").hidden = !lesson;
    find("board-link").hidden = !news.challenge;
    if (news.challenge && news.challenge.id !== this.playing) find("challenges").value = news.challenge.id;
    this.playing = news.challenge?.id ?? "";
    drawList(
      find("played"),
      playedView(this.classId, teacher.challenges, (id) => this.#act(() => classes.closeBoard(this.classId, id))),
    );
    find("follow").disabled = mode === "follow";
    find("shown").hidden = !shown;
    find("no-shown").hidden = Boolean(shown || news.challenge);
    find("no-explore").hidden = Boolean(shown);
    find("explore-form").hidden = !shown;
    find("no-students").hidden = teacher.students.length > 0;
    find("table").hidden = !teacher.questions.length;
    if (shown) find("present").href = `/studio/${shown.experiment}?present&run=${shown.run}`;
    const on = {
      go: (/** @type {number} */ step) => this.#act(() => classes.goToStep(this.classId, step)),
      act: (/** @type {number} */ number, /** @type {string} */ move) =>
        this.#act(() => classes.moveQuestion(this.classId, number, move)),
    };
    drawList(find("lesson"), lesson ? lessonView(lesson, questions, on) : nothing);
    this.form.show(shown).catch(() => {});
    this.exploring.show(shown).catch(() => {});
    this.computing = teacher.questions.some((one) => ["queued", "compiling", "running"].includes(one.computed));
    drawList(find("questions"), questionsView(questions, on.act));
    drawList(
      find("students"),
      studentsView(teacher.students, {
        rename: (number, name) => this.#act(() => classes.renameStudent(this.classId, number, name)),
        remove: (number) => this.#act(() => classes.removeStudent(this.classId, number)),
      }),
    );
  }

  /** Describe what the class sees; the run's name comes from its experiment. */
  async #tellSeen(/** @type {ClassNews} */ news) {
    const { shown, mode } = news;
    if (shown && shown.experiment !== this.named?.id) {
      const { experiment = {} } = await getExperiment(shown.experiment);
      const own = this.gallery.find((one) => one.asked === experiment.question)?.question;
      this.named = { id: shown.experiment, name: own ?? (experiment.question || experiment.name) };
    }
    find("mode").textContent = shown || mode !== "follow" ? seenWords(news, this.named?.name ?? "") : "";
  }

  async #delete() {
    const button = find("delete");
    const twice = gettext("Confirm: delete with all names and answers");
    if (button.textContent !== twice) {
      const once = button.textContent;
      button.textContent = twice;
      setTimeout(() => {
        button.textContent = once;
      }, ASKED_MS);
      return;
    }
    await classes.deleteClass(this.classId);
    window.location.href = "/classes";
  }

  #say(/** @type {string} */ text) {
    find("said").textContent = text;
  }
}

wireTheme();
wireTips();
wirePageKeys();
new Desk(bootData());
