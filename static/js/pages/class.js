/** A student's page of a class: the teacher's picture, or the current question. */

import { answerForm } from "../features/classes/answer_form.js";
import { readClass, sendAnswer } from "../features/classes/class_api.js";
import { ClassPicture } from "../features/classes/class_picture.js";
import { ClassSocket } from "../features/classes/class_socket.js";
import { ExploreForm } from "../features/classes/explore_form.js";
import { Reveal } from "../features/classes/reveal.js";
import { isAway } from "../contract/api.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { percent } from "../kit/format.js";
import { html, render } from "../kit/view.js";
import { gettext } from "../kit/words.js";

/**
 * @import { ApiError, Failure } from "../contract/api.js"
 * @import { ClassNews } from "../contract/contract"
 * @import { StoredAnswer } from "../features/classes/class_api.js"
 */

/** @typedef {Pick<StoredAnswer, "value" | "score">} Answered */

/** @typedef {import("../contract/contract").AskedQuestion} AskedQuestion */

const AGAIN_MS = 2000;

class StudentPage {
  constructor(/** @type {string} */ classId) {
    this.classId = classId;
    /**
     * This student's answers on the server, by the number of the question.
     * @type {Map<number | undefined, Answered>}
     */
    this.stored = new Map();
    /** @type {AskedQuestion | null} */
    this.question = null;
    this.drawn = "";
    this.picture = new ClassPicture(find("picture"), {
      pin: (machine) => {
        if (machine >= 0 && this.question?.kind === "point" && this.question.state === "open")
          this.form?.point?.(machine);
      },
      apart: (apart) => {
        find("again").hidden = !apart;
      },
    });
    this.reveal = new Reveal(find("form"), this.picture, () => this.news && this.#told(this.news));
    this.exploring = new ExploreForm(classId, {
      script: document.body.dataset.engineWorker,
      tell: (fork) => this.socket.tellFork(fork),
    });
    find("explore").prepend(this.exploring.element);
    /** True if the student looks at the teacher's picture while the class explores. */
    this.back = false;
    find("again").addEventListener("click", () => this.picture.again());
    find("back").addEventListener("click", () => this.#leave(!this.back));
    find("send").addEventListener("click", () => this.#send());
    this.socket = new ClassSocket(classId, {
      told: (news) => this.#told(news),
      link: (up) => this.#link(up),
      ended: (_code, message) => this.#ended(message),
    });
    this.#read();
  }

  /** Read the student's name and earlier answers. */
  async #read() {
    try {
      const { student } = await readClass(this.classId);
      find("me").textContent = student.name;
      for (const { question, value, score } of student.answers) this.stored.set(question, { value, score });
      this.fork = student.fork;
      if (this.news?.explore) this.exploring.show(this.news.explore, this.fork);
      if (this.question) this.#ask(this.question);
    } catch (error) {
      if (isAway(error)) setTimeout(() => this.#read(), AGAIN_MS);
      else this.#ended(/** @type {ApiError} */ (error).message);
    }
  }

  #link(/** @type {boolean} */ up) {
    find("link").hidden = up;
    // A student who was offline may have missed the reveal with the scores.
    if (up && this.wasDown) this.#read();
    this.wasDown = !up;
  }

  #ended(/** @type {string} */ message) {
    find("over").hidden = false;
    find("over").textContent = message || gettext("This class is over.");
    for (const name of ["picture", "ask", "link", "explore", "back", "challenge"]) find(name).hidden = true;
  }

  /** Go to the teacher's picture, or back to the student's own fork. */
  #leave(/** @type {boolean} */ back) {
    this.back = back;
    if (this.news) this.#told(this.news);
  }

  /** Show or hide the student's controls; return true if they are visible. */
  #explore(/** @type {ClassNews} */ { explore }) {
    find("back").hidden = !explore;
    find("back").textContent = this.back ? gettext("Explore by yourself") : gettext("Back to the teacher’s picture");
    find("explore").hidden = !explore || this.back;
    if (explore) this.exploring.show(explore, this.fork);
    return Boolean(explore) && !this.back;
  }

  #told(/** @type {ClassNews} */ news) {
    if (!news.explore) this.back = false;
    this.news = news;
    const explores = this.#explore(news);
    find("challenge").hidden = !news.challenge;
    if (news.challenge) {
      find("challenge-title").textContent = news.challenge.title;
      find("challenge-question").textContent = news.challenge.question;
      find("challenge-enter").href = news.challenge.url;
    }
    const question = news.mode === "ask" ? news.question : null;
    const own = this.stored.get(question?.number)?.value ?? null;
    this.revealed = this.reveal.told(question, own);
    const points = question?.kind === "point" && question.state === "open";
    // A challenge has its own workload: the class's previous picture would mislead.
    const follows = !question && !news.challenge && Boolean(news.shown);
    const needsMap = !explores && (follows || points || this.reveal.plays);
    find("picture").hidden = !needsMap;
    find("picture").classList.toggle("is-small", this.reveal.plays);
    find("ask").hidden = !question;
    find("idle").hidden = Boolean(question || news.shown || news.text || news.challenge);
    find("text").hidden = !news.text;
    find("text").textContent = news.text;
    if (points && question.shown && needsMap) this.picture.stand(question.shown, question.at_s ?? 0);
    else if (!question) this.picture.follow(news.shown);
    if (this.question?.kind === "point" && this.question.number !== question?.number) this.picture.unpin();
    const wasRevealed = this.question?.state === "revealed" && this.question.number === question?.number;
    this.question = question;
    if (!question) return;
    this.#ask(question);
    if (question.state === "revealed" && !wasRevealed) this.#read();
  }

  /** Show a question; its form stays while the question is the same, with the current input. */
  #ask(/** @type {AskedQuestion} */ question) {
    const key = `${question.number} ${question.state}`;
    const stored = this.stored.get(question.number);
    if (question.state === "open") {
      if (this.drawn !== key) {
        this.form = answerForm(question, () => this.#changed());
        render(this.form.element, find("form"));
        this.sent = undefined;
      }
      if (stored && this.sent === undefined && this.form?.value() === null) {
        this.form.take(stored.value);
        this.sent = JSON.stringify(stored.value);
      }
    } else {
      this.revealed = this.reveal.told(question, stored?.value ?? null);
      if (!this.revealed) render(waitingView(question, stored), find("form"));
    }
    this.drawn = key;
    find("question").textContent = question.text;
    find("send").hidden = question.state !== "open";
    this.#changed();
    if (question.state !== "open") this.#say(this.reveal.isPlaying ? "" : scoreWords(stored));
  }

  #changed() {
    if (this.question?.state !== "open") return;
    const value = this.form?.value() ?? null;
    const isSent = value !== null && JSON.stringify(value) === this.sent;
    find("send").disabled = value === null || isSent || this.sending;
    find("send").textContent = this.sent ? gettext("Change my answer") : gettext("Send my answer");
    find("said").dataset.saved = isSent ? "yes" : "no";
    if (!this.sending) this.#say(isSent ? gettext("Stored. You can change it until the question closes.") : "");
  }

  async #send() {
    const { question, form } = this;
    if (!question || !form) return;
    const value = form.value();
    this.sending = true;
    this.#changed();
    this.#say(gettext("Sending…"));
    let trouble = "";
    try {
      const stored = await sendAnswer(this.classId, question.number, value, () =>
        this.#say(gettext("The server cannot be reached. Your answer is sent as soon as it can be.")),
      );
      this.stored.set(question.number, stored);
      if (this.question?.number === question.number) this.sent = JSON.stringify(value);
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      trouble = error.problems?.[0]?.message ? `${error.message}: ${error.problems[0].message}.` : error.message;
    }
    this.sending = false;
    if (this.question) this.#ask(this.question);
    if (trouble) this.#say(trouble);
  }

  #say(/** @type {string} */ text) {
    const said = find("said");
    if (said.textContent !== text) said.textContent = text;
  }
}

/**
 * Return the text shown instead of the form of a closed question.
 * @param {AskedQuestion} question
 * @param {Answered | undefined} stored  the reader's answer
 */
function waitingView(question, stored) {
  const said = stored
    ? gettext("Your answer is stored. Wait for the result.")
    : gettext("The question is closed. Wait for the result.");
  return html`<p class="class-note" data-closed=${question.number}>${said}</p>`;
}

/** Return the score in words, once the question is revealed. */
function scoreWords(/** @type {Answered | undefined} */ stored) {
  if (!stored || stored.score === null || stored.score === undefined) return "";
  return gettext("Your score: {score}", { score: percent(stored.score) });
}

wireTheme();
wireGlossaryAndTips();
wirePageKeys("class");
new StudentPage(bootData().class);
