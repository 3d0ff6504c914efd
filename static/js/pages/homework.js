/** A student's page of a homework: its steps at the student's own pace. */

import { answerForm } from "../features/classes/answer_form.js";
import { joinHomework, readHomework, sendAnswer } from "../features/classes/class_api.js";
import { resultView } from "../features/classes/result_picture.js";
import { isAway } from "../contract/api.js";
import { bootData, localTimes, wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { percent } from "../kit/format.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { batch, html, nothing, show, signal, watch } from "../kit/view.js";
import { gettext, sentences } from "../kit/words.js";

/**
 * @import { ApiError, Failure } from "../contract/api.js"
 * @import { AskedQuestion, ClassShown } from "../contract/contract"
 * @import { Homework, HomeworkStep } from "../features/classes/class_api.js"
 * @import { Revealed } from "../features/classes/result_picture.js"
 */
/** @typedef {import("../features/classes/answer_form.js").Form} Form */
/** @typedef {Homework & {steps: HomeworkStep[]}} Begun  a homework that this student or teacher may see */
/** @typedef {HomeworkStep & {question: AskedQuestion}} Asking  a step with a question */

const id = bootData().homework;
const AGAIN_MS = 2000;
/** The polling interval while a result is computed. */
const LOOK_MS = 3000;

/** The homework from the server. */
const told = signal(/** @type {Homework | null} */ (null));
/** The current step; after the last one, the summary. */
const at = signal(0);
/** Counts changes of the form, which keeps its own state. */
const typed = signal(0);
const said = signal("");
const sending = signal(false);
/** The forms of questions by number: their input stays when the student goes to another step. */
const forms = /** @type {Map<number, Form>} */ (new Map());

const step = () => told.value?.steps?.[at.value] ?? null;
const answerTo = (/** @type {number} */ number) =>
  told.value?.student?.answers.find((one) => one.question === number) ?? null;

function formOf(/** @type {AskedQuestion} */ question) {
  let form = forms.get(question.number);
  if (!form) {
    form = answerForm(question, () => {
      typed.value += 1;
    });
    const own = answerTo(question.number);
    if (own) form.take(own.value);
    forms.set(question.number, form);
  }
  return form;
}

async function read() {
  try {
    const found = await readHomework(id);
    find("join-part").hidden = Boolean(found.steps);
    find("me").textContent = found.student?.name ?? "";
    told.value = found;
    find("said").textContent = "";
  } catch (error) {
    if (isAway(error)) setTimeout(read, AGAIN_MS);
    else find("said").textContent = /** @type {ApiError} */ (error).message;
  }
}

async function send(/** @type {AskedQuestion} */ question) {
  sending.value = true;
  said.value = gettext("Sending…");
  try {
    await sendAnswer(id, question.number, formOf(question).value(), () => {
      said.value = gettext("The server cannot be reached. Your answer is sent as soon as it can be.");
    });
    said.value = "";
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    said.value = sentences([error.message, error.problems?.[0]?.message]);
  }
  sending.value = false;
  await read();
}

function go(/** @type {number} */ to) {
  batch(() => {
    at.value = to;
    said.value = "";
  });
  window.scrollTo({ top: 0 });
  find("steps").querySelector("h2")?.focus();
}

/** Return the address of a run's embedded page, at the step's instant and layer. */
function frameOf(/** @type {ClassShown} */ shown) {
  const query = new URLSearchParams({ run: shown.run, panels: "map.legend.play" });
  if (shown.at_s !== null) {
    query.set("t", String(shown.at_s));
    query.set("paused", "1");
  }
  if (shown.layer) query.set("layer", shown.layer);
  return `/e/${encodeURIComponent(shown.slug)}/embed?${query}`;
}

function openView(/** @type {AskedQuestion} */ question) {
  const form = formOf(question);
  // The form signals its changes through this signal.
  const value = typed.value >= 0 ? form.value() : null;
  const own = answerTo(question.number);
  const stored = own !== null && JSON.stringify(value) === JSON.stringify(own.value);
  const words = stored
    ? /** @type {Homework} */ (told.value).at_once
      ? gettext("Stored. The result appears here as soon as it is computed.")
      : gettext("Stored. You can change it until the end.")
    : "";
  return html`${form.element}
    <button
      class="button button-heavy button-big class-send"
      type="button"
      data-send
      ?disabled=${value === null || stored || sending.value || !(/** @type {Homework} */ (told.value).student)}
      @click=${() => send(question)}
      >${own ? gettext("Change my answer") : gettext("Send my answer")}</button
    >
    <p class="class-said" role="status" data-answer-said data-saved=${stored ? "yes" : "no"}
      >${said.value || words}</p
    >`;
}

const scoreWords = (/** @type {number} */ score) => gettext("Your score: {score}", { score: percent(score) });

function questionView(/** @type {AskedQuestion} */ question) {
  const own = answerTo(question.number);
  const body = () => {
    if (question.result) return resultView(/** @type {Revealed} */ (question), own?.value ?? null);
    if (!(/** @type {Homework} */ (told.value).over)) return openView(question);
    return html`<p class="class-note">${gettext("The answer is still being computed.")}</p>`;
  };
  return html`<section class="class-ask" data-asked=${question.number}>
    ${body()}
    ${
      own?.score === null || own?.score === undefined
        ? nothing
        : html`<p class="class-said" role="status" data-score>${scoreWords(own.score)}</p>`
    }
  </section>`;
}

/** Return a step's contents beside its text. */
function partView(/** @type {HomeworkStep} */ { kind, name, question, shown, challenge }) {
  if (question) return questionView(question);
  if (challenge)
    return html`<p><a class="button button-heavy" href=${`/arena/${challenge}`} target="_blank" rel="noopener"
      >${gettext("Open the challenge")}</a
    ></p>`;
  if (!shown) return nothing;
  const studio = `/e/${encodeURIComponent(shown.slug)}`;
  const changes = gettext("Change these settings: {names}", { names: name });
  return html`${kind === "explore" ? html`<p>${changes}</p>` : nothing}
    <iframe class="homework-run" src=${frameOf(shown)} title=${name}></iframe>
    <p><a class="button" href=${studio} target="_blank" rel="noopener">${gettext("Open in the studio")}</a></p>`;
}

function stepView() {
  const { steps } = /** @type {Begun} */ (told.value);
  const one = /** @type {HomeworkStep} */ (step());
  const heading = one.question?.text || one.text || one.name;
  const place = gettext("Step {step} of {steps}", { step: at.value + 1, steps: steps.length });
  return html`<p class="homework-place">${place}</p>
    <h2 class="class-question" tabindex="-1" data-heading>${heading}</h2>
    <div class="homework-part" data-part=${one.kind}>${partView(one)}</div>`;
}

function summaryView() {
  const { steps, over, student } = /** @type {Begun} */ (told.value);
  const questions = steps.flatMap((one, place) => (one.question ? [{ place, ...one.question }] : []));
  const state = (/** @type {AskedQuestion} */ { number }) => {
    const own = answerTo(number);
    if (!own) return gettext("not answered");
    return own.score === null ? gettext("answered") : gettext("Score {score}", { score: percent(own.score) });
  };
  const end = over
    ? gettext("The homework is over.")
    : gettext("That was the last step. You can come back with the same link until the end.");
  return html`<h2 class="class-question" tabindex="-1">${student ? gettext("Your answers") : gettext("Questions")}</h2>
    <ol class="desk-list" data-summary>
      ${questions.map(
        (one) =>
          html`<li class="homework-row"
            ><button class="homework-to" type="button" data-to=${one.place} @click=${() => go(one.place)}
              >${one.text}</button
            ><span>${state(one)}</span></li
          >`,
      )}
    </ol>
    <p class="class-note">${end}</p>`;
}

show(find("steps"), () => {
  if (!told.value?.steps) return nothing;
  return at.value < told.value.steps.length ? stepView() : summaryView();
});

// A question's map lies between the step and the buttons.
show(find("nav"), () => {
  if (!told.value?.steps) return nothing;
  const last = told.value.steps.length;
  return html`<nav class="homework-nav" aria-label=${gettext("Steps")}>
      <button class="button" type="button" data-previous ?disabled=${at.value === 0} @click=${() => go(at.value - 1)}
        >${gettext("Back")}</button
      >
      <button
        class=${
          step()?.question && !answerTo(/** @type {Asking} */ (step()).question.number)
            ? "button"
            : "button button-heavy"
        }
        type="button"
        data-next
        ?hidden=${at.value >= last}
        @click=${() => go(at.value + 1)}
        >${gettext("Next")}</button
      >
    </nav>`;
});

/** A student points at a machine or a task on the run's map, which loads only for such a question. */
let picture = /** @type {Promise<import("../features/classes/class_picture.js").ClassPicture> | null} */ (null);
watch(
  () => {
    const question = step()?.question;
    return question?.kind === "point" && question.shown ? question : null;
  },
  async (question) => {
    find("picture").hidden = !question;
    if (!question) return;
    picture ??= import("../features/classes/class_picture.js").then(
      ({ ClassPicture }) =>
        new ClassPicture(find("picture"), {
          pin: (machine) => {
            const asked = step()?.question;
            if (machine >= 0 && asked?.kind === "point" && !asked.result) formOf(asked).point?.(machine);
          },
        }),
    );
    const shown = await picture;
    shown.stand(/** @type {ClassShown} */ (question.shown), question.at_s ?? 0);
    shown.mark(question.result && question.target === "machine" ? Number(question.result.answer) : -1);
  },
);

find("join")?.addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  find("enter").disabled = true;
  try {
    await joinHomework(id, find("name").value);
    await read();
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    find("said").textContent = sentences([error.message, error.problems?.[0]?.message, error.problems?.[0]?.remedy]);
  }
  find("enter").disabled = false;
});

setInterval(() => {
  const question = step()?.question;
  const waits =
    question &&
    !question.result &&
    answerTo(question.number) &&
    /** @type {boolean} */ (/** @type {Homework} */ (told.value).at_once || /** @type {Homework} */ (told.value).over);
  if (waits && !sending.value && document.visibilityState === "visible") read();
}, LOOK_MS);

localTimes();
wireTheme();
wireGlossaryAndTips();
wirePageKeys("class");
read();
