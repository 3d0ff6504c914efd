/** The landing page: five toys to scroll through, which play immediately. */

import { onTheme } from "../kit/dom.js";
import { wireTheme } from "../kit/boot.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { Toy } from "../toys/toy.js";

/** @type {Toy[]} */
const toys = [];

function wireNear() {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const toy = toys.find((one) => one.element === target);
        if (toy) toy.near = isIntersecting;
      }
    },
    { rootMargin: "64px" },
  );
  for (const toy of toys) watch.observe(toy.element);
}

function playAll() {
  let last = performance.now();
  const step = (/** @type {number} */ now) => {
    for (const toy of toys) toy.step(now - last);
    last = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/**
 * Wire the link that opens the last toy's run in the studio: it contains the whole experiment. The module that encodes
 * it loads on demand.
 */
function wireStudio() {
  const toy = toys.at(-1);
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-open-studio]"));
  if (!toy || !link) return;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const [{ toFragment }, { experimentOf }] = await Promise.all([
      import("../experiment/fragment.js"),
      import("../toys/experiment.js"),
    ]);
    const { model, rules } = toy.variants[0];
    const { name, question, version } = link.dataset;
    const experiment = experimentOf(model, toy.workOf(0), rules, { name, question });
    location.href = `/studio?level=watch${toFragment(experiment, version)}`;
  });
}

function begin() {
  const [first, ...others] = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-toy]"))];
  toys.push(new Toy(first));
  toys[0].near = true;
  playAll();
  // Start the first toy before simulating the others.
  requestAnimationFrame(() => {
    setTimeout(() => {
      for (const panel of others) toys.push(new Toy(panel));
      wireNear();
      wireStudio();
      onTheme(() => {
        for (const toy of toys) toy.theme();
      });
    });
  });
}

document.documentElement.classList.add("has-script");
wireTheme();
wireGlossaryAndTips();
wirePageKeys("landing");
begin();
