/** A class on a projector: how to join, the picture, the question, and the result. */

import { drawBoard } from "../features/arena/board.js";
import { openOnScreen, readBoard, readChallenge, readWall } from "../features/classes/class_api.js";
import { ClassPicture } from "../features/classes/class_picture.js";
import { ClassSocket } from "../features/classes/class_socket.js";
import { dotsView, wordsOn } from "../features/classes/dots.js";
import { Reveal } from "../features/classes/reveal.js";
import { askedView } from "../features/classes/result_picture.js";
import { TurnsBeside } from "../features/graphs/turns_beside.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { find, targetOf } from "../kit/dom.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { html, render } from "../kit/view.js";
import { gettext, ngettext } from "../kit/words.js";

/**
 * @import { AskedQuestion, ClassNews } from "../contract/contract"
 * @import { TeacherFork } from "../features/classes/explore_desk.js"
 */

const HOLD_MS = 300;
const BOARD_MS = 3000;
const NO_ACTS = { open: () => {}, fork: () => {}, withdraw: () => {} };

const picture = new ClassPicture(find("picture"), {}, { onScreen: true });
const turns = new TurnsBeside(find("turns"), picture.stage, (run, t_ns) => {
  picture.openRun(run, t_ns);
});
picture.on = {
  moved: () => turns.moved(),
  // The jobs of a run can be fetched when it is computed.
  run: (session) => turns.show(session.state === "done" ? session : null),
};
const reveal = new Reveal(find("result"), picture, () => layOut());
/** The latest message. @type {ClassNews | null} */
let newest = null;
/** True if the code fills the screen: until something is shown, and whenever the teacher requests it. */
let large = true;
/** True if the teacher shows names; and the timer for reading all forks. */
let hasNames = false;
let reading = 0;
/** The id of the class's challenge, and the timer for reading its board. */
let played = "";
let looking = 0;

function showCode(/** @type {boolean} */ on) {
  large = on;
  document.body.classList.toggle("has-large-code", on);
  find("large").setAttribute("aria-pressed", String(on));
}

/**
 * @param {AskedQuestion} question
 * @param {number} people
 */
function toldOf(question, people) {
  if (question.state === "open")
    return gettext("{answered} of {people} students have answered", { answered: question.answered, people });
  const answers = ngettext("{n} answer", "{n} answers", question.answered);
  return question.state === "closed" ? gettext("Closed. {answers}", { answers }) : answers;
}

/** Read all forks after a short delay, because many change at once. */
function readSoon() {
  if (reading) return;
  reading = setTimeout(async () => {
    reading = 0;
    try {
      const { explore, forks } = await readWall(bootData().class);
      const people = newest?.people ?? forks.length;
      find("tried").textContent = gettext("{tried} of {people} students have tried values", {
        tried: forks.length,
        people,
      });
      if (explore)
        render(
          dotsView(explore, forks.map(named), (fork) => open(fork.number)),
          find("wall"),
        );
    } catch {
      // The next message retries.
    }
  }, HOLD_MS);
}

const named = (/** @type {TeacherFork} */ fork) => (hasNames ? fork : { ...fork, name: "" });

function open(/** @type {number} */ number) {
  openOnScreen(bootData().class, number).catch(() => {});
}

/** Show the wall of an exploration, or the student's run that the teacher opened. */
function showExplore(/** @type {ClassNews} */ { explore, text }) {
  find("explore").hidden = !explore || Boolean(explore.spot);
  find("spot").hidden = !explore?.spot;
  if (!explore) return;
  if (!explore.spot) {
    const parameters = explore.knobs.map((one) => one.label).join(", ");
    // A lesson's own text explains what to try.
    find("explore-title").hidden = Boolean(text);
    find("explore-title").textContent = gettext("Try it yourself: {parameters}", { parameters });
    readSoon();
    return;
  }
  const words = explore.spot_values.map(({ path, value }) => {
    const knob = explore.knobs.find((one) => one.path === path);
    return `${knob?.label ?? path}: ${wordsOn({ unit: knob?.unit ?? "" }, value)}`;
  });
  find("spot-values").textContent = words.join(" · ");
}

/** Show the board of the class's challenge, and poll it while the challenge runs. */
async function showBoard(/** @type {ClassNews} */ news) {
  find("challenge").hidden = !news.challenge;
  clearTimeout(looking);
  played = news.challenge?.id ?? "";
  if (!played) return;
  find("challenge-title").textContent = news.challenge?.title ?? "";
  try {
    const [challenge, board] = await Promise.all([readChallenge(played), readBoard(bootData().class)]);
    if (played === challenge.id) drawBoard(find("board"), { challenge, board, asked: "", acts: NO_ACTS });
  } catch {
    // The next poll retries.
  }
  clearTimeout(looking);
  if (played) looking = setTimeout(() => showBoard(news), BOARD_MS);
}

function showNews(/** @type {ClassNews} */ news) {
  const question = news.mode === "ask" ? news.question : null;
  const key = question
    ? `${question.number} ${question.state}`
    : `${news.challenge?.id ?? ""}${news.explore ? "explore " : ""}${news.explore?.spot?.run ?? news.shown?.run ?? ""}`;
  const before = document.body.dataset.shows;
  if (question ? key !== before : before !== undefined && key !== before) showCode(false);
  document.body.dataset.shows = key;
  hasNames = news.names.length > 0;
  showExplore(news);
  if ((news.challenge?.id ?? "") !== played) showBoard(news);
  find("people").textContent = gettext("Students here: {here} of {people}", { here: news.here, people: news.people });
  find("locked").hidden = !news.locked;
  render(
    news.names.map((name) => html`<li>${name}</li>`),
    find("names"),
  );
  find("text").hidden = !news.text;
  find("text").textContent = news.text;
  find("ask").hidden = !question;
  newest = news;
  const isRevealed = reveal.told(question);
  layOut();
  if (!question) return;
  find("question").textContent = question.text;
  find("answered").textContent = toldOf(question, news.people);
  if (!isRevealed) render(askedView(question), find("result"));
}

/** Show or hide the map, and set the run that it plays. */
function layOut() {
  const news = newest;
  if (!news) return;
  const question = news.mode === "ask" ? news.question : null;
  const stands = question?.kind === "point" ? question.shown : null;
  // The run stays beside its question until the result comes.
  const asked = question && !stands && question.state !== "revealed" ? question.shown : null;
  const isWall = Boolean(news.challenge || (news.explore && !news.explore.spot));
  const isPlayed = reveal.plays || (stands && question?.state === "revealed");
  document.body.classList.toggle("is-revealing", Boolean(question && isPlayed));
  document.body.classList.toggle("is-asking", Boolean(asked));
  find("picture").hidden = isWall || Boolean(question && !stands && !asked && !reveal.plays);
  const result = stands && question?.target === "machine" ? question.result : null;
  picture.mark(result ? Number(result.answer) : -1);
  if (stands && question?.state === "revealed") picture.playOn();
  else if (stands) picture.stand(stands, question?.at_s ?? 0);
  else if (asked) picture.follow(asked);
  else if (!question && !isWall) picture.follow(news.explore?.spot ?? news.shown);
}

find("spot-over").addEventListener("click", () => open(0));
find("large").addEventListener("click", () => showCode(!large));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "j") showCode(!large);
  // The map moves by its own arrows, and a button is pressed by the space bar.
  if (!picture.isFree || large || targetOf(event).closest?.("button, a, [data-map]")) return;
  /** @type {Record<string, () => void>} */
  const acts = {
    " ": () => picture.stage.toggle(),
    ArrowLeft: () => picture.stage.step(-1),
    ArrowRight: () => picture.stage.step(1),
  };
  if (!acts[event.key]) return;
  event.preventDefault();
  acts[event.key]();
});
new ClassSocket(bootData().class, {
  told: showNews,
  link: (up) => {
    find("link").hidden = up;
  },
  ended: (_code, message) => {
    find("link").hidden = false;
    find("link").textContent = message || gettext("This class is over.");
  },
});
showCode(true);
wireTheme();
wirePageKeys("class_screen");
