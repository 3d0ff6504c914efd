// The documentation's pages: search, the theme's button, and the list of pages, which narrow screens fold.
const SHOWN = 12;
const WAIT_MS = 80;
/** Words that the index leaves out (lunr's list): to demand one of them would find nothing. */
const COMMON =
  "a able about across after all almost also am among an and any are as at be because been but by can cannot " +
  "could dear did do does either else ever every for from get got had has have he her hers him his how however i " +
  "if in into is it its just least let like likely may me might most must my neither no nor not of off often on " +
  "only or other our own rather said say says she should since so some than that the their them then there these " +
  "they this tis to too twas us wants was we were what when where which while who whom why will with would yet " +
  "you your";
const LEFT_OUT = new Set(COMMON.split(" "));

const base = new URL(`${document.documentElement.dataset.base || "."}/`, location.href);
const form = document.querySelector("[data-search]");
const field = form.querySelector("input");
const found = form.querySelector("[data-found]");
const count = form.querySelector("[data-found-count]");
const list = form.querySelector("[data-found-list]");

/** MkDocs' own worker, which builds the index; started when somebody goes to the field. */
let worker = null;
let ready = false;
let timer = 0;

function start() {
  if (worker) return;
  worker = new Worker(new URL("search/worker.js", base));
  worker.onmessage = ({ data }) => {
    if (data.allowSearch) {
      ready = true;
      ask();
    } else if (data.results) show(data.results);
  };
  worker.postMessage({ init: true });
}

function ask() {
  const words = field.value.trim();
  found.hidden = words.length < 2;
  if (found.hidden) return;
  start();
  if (ready) worker.postMessage({ query: query(words) });
  else count.textContent = "Reading the index…";
}

/** Every word must occur; the last one may be the start of a longer one, because somebody is still typing it. */
function query(words) {
  const all = words.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const parts = all.filter((part, index) => index === all.length - 1 || (part.length > 1 && !LEFT_OUT.has(part)));
  return parts.map((part, index) => (index < parts.length - 1 ? `+${part}` : `${part}^2 ${part}*`)).join(" ");
}

function show(results) {
  count.textContent = results.length === 0 ? "Nothing found. Try another word." : `${results.length} found`;
  // Data formats and notes for developers name every word: pages that explain it come first. (Sorting keeps the rest.)
  const ordered = [...results].sort((one, other) => Number(isLast(one)) - Number(isLast(other)));
  list.replaceChildren(...ordered.slice(0, SHOWN).map(entry));
}

function isLast({ location: address }) {
  return /^(development|reference\/contract|reference\/http-objects)\//.test(address);
}

function entry({ location: address, title, text }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = new URL(address, base).href;
  link.append(element("strong", plain(title)), element("small", place(address)), element("span", excerpt(plain(text))));
  item.append(link);
  return item;
}

/** Say where a page stands: sections of one name are on many pages. */
function place(address) {
  const parts = address.replace(/#.*/, "").split("/").filter(Boolean);
  return parts.map((part) => part.replaceAll("-", " ")).join(" › ") || "start page";
}

/** The index holds HTML's entities. */
function plain(text) {
  return new DOMParser().parseFromString(text, "text/html").documentElement.textContent;
}

function excerpt(text) {
  const word = field.value.trim().toLowerCase().split(/\s+/)[0];
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  const from = at === 0 ? 0 : text.indexOf(" ", at) + 1;
  return `${from > 0 ? "… " : ""}${text.slice(from, from + 140).trim()}`;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

field.addEventListener("focus", start);
field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(ask, WAIT_MS);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    found.hidden = true;
    field.focus();
    return;
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [field, ...list.querySelectorAll("a")];
  const step = event.key === "ArrowDown" ? 1 : -1;
  stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  event.preventDefault();
});
document.addEventListener("click", (event) => {
  if (!form.contains(event.target)) found.hidden = true;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  field.focus();
});

document.querySelector("[data-theme-toggle]").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("playground.theme", root.dataset.theme);
  } catch {
    /* private window: the choice holds for this page */
  }
});

for (const heading of document.querySelectorAll(".docs-text :is(h2, h3, h4)[id]")) {
  const link = element("a", "#");
  link.className = "headerlink";
  link.href = `#${heading.id}`;
  link.setAttribute("aria-label", "Link to this section");
  heading.append(link);
}

const narrow = matchMedia("(max-width: 900px)");
const pages = document.querySelector("[data-pages]");
if (pages && narrow.matches) pages.open = false;

// Wide tables and code scroll by themselves, so keys must reach them.
for (const table of document.querySelectorAll(".docs-text table")) {
  const frame = document.createElement("div");
  frame.className = "docs-wide";
  table.replaceWith(frame);
  frame.append(table);
}
for (const wide of document.querySelectorAll(".docs-wide, .docs-text pre")) {
  if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
}

const asked = new URLSearchParams(location.search).get("q");
if (asked) {
  field.value = asked;
  ask();
}
