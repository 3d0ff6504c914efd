/** A class on a projector: how to join, the picture, the question, and what came of it. */

import { ClassPicture } from "../features/classes/class_picture.js";
import { ClassSocket } from "../features/classes/class_socket.js";
import { resultPicture } from "../features/classes/result_picture.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { find, h } from "../kit/dom.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { gettext, ngettext } from "../kit/words.js";

const picture = new ClassPicture(find("picture"));
/** Whether the code fills the screen: until something is shown, and whenever the teacher asks for it. */
let large = true;

function showCode(on) {
  large = on;
  document.body.classList.toggle("has-large-code", on);
  find("large").setAttribute("aria-pressed", String(on));
}

function toldOf(question, people) {
  if (question.state === "open")
    return gettext("{answered} of {people} answered", { answered: question.answered, people });
  if (question.state === "closed") return gettext("Closed. {answered} answered", { answered: question.answered });
  return gettext("{answered} answered", { answered: question.answered });
}

function showNews(news) {
  const question = news.mode === "ask" ? news.question : null;
  const key = question ? `${question.number} ${question.state}` : (news.shown?.run ?? "");
  const before = document.body.dataset.shows;
  if (question ? key !== before : before !== undefined && key !== before) showCode(false);
  document.body.dataset.shows = key;
  find("people").textContent = ngettext("Students here: {n}", "Students here: {n}", news.people);
  find("locked").hidden = !news.locked;
  find("names").replaceChildren(...news.names.map((name) => h("li", {}, name)));
  find("text").hidden = !news.text;
  find("text").textContent = news.text;
  find("ask").hidden = !question;
  const stands = question?.kind === "point" && question.state !== "revealed" && question.shown;
  find("picture").hidden = Boolean(question && !stands);
  if (stands) picture.stand(question.shown, question.at_s);
  else if (!question) picture.follow(news.shown);
  if (!question) return;
  find("question").textContent = question.text;
  find("answered").textContent = toldOf(question, news.people);
  const options = question.options.map((option) => h("li", {}, option));
  find("result").replaceChildren(
    question.result ? resultPicture(question) : h("ul", { class: "screen-options" }, options),
  );
}

find("large").addEventListener("click", () => showCode(!large));
document.addEventListener("keydown", (event) => {
  if (event.key === "j" && !event.ctrlKey && !event.metaKey) showCode(!large);
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
