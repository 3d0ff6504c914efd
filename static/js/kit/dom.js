/** Making elements without markup strings, and colours as the style sheet has them. */

/** h("button", {class: "x", onclick: f, "aria-label": "…"}, ...children) */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for elements of pictures: svg("line", {x1: 0}, ...children). */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined));
  return element;
}

/** An icon of 16 by 16 from path data. */
export function icon(path, { fill = true } = {}) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", fill ? "icon" : "icon icon-line");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

export const ICONS = {
  play: "M4 2.2v11.6c0 .5.5.8.9.5l9-5.8c.4-.2.4-.8 0-1l-9-5.8c-.4-.3-.9 0-.9.5z",
  pause: "M3.5 2h3v12h-3zM9.5 2h3v12h-3z",
  again:
    "M8 2.5a5.5 5.5 0 1 0 5.4 6.6l-1.8-.4A3.7 3.7 0 1 1 8 4.3c1 0 1.9.4 2.6 1L8.5 7.4h5.400V2l-2 2A5.5 5.5 0 0 0 8 2.500z",
  back: "M8 3v10L1 8zM15 3v10L8 8z",
  forward: "M2 3v10l8-5zM11.5 3h2.500v10h-2.500z",
};

/** The used value of a colour token, as canvases need it. */
export function token(name) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  probe.style.display = "none";
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/** Red, green, blue of a colour as token() gives it. */
export function rgb(colour) {
  return (colour.match(/[\d.]+/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number);
}

/** Put a tip beside a point, inside the window. */
export function placeTip(tip, x, y) {
  const box = tip.getBoundingClientRect();
  const left = Math.min(x + 14, window.innerWidth - box.width - 8);
  const top = y + 18 + box.height > window.innerHeight ? y - box.height - 12 : y + 18;
  tip.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
}

/** Where it covers nothing of a box: at its right, else below it, else above. */
export function placeTipBeside(tip, box) {
  const { width, height } = tip.getBoundingClientRect();
  const fits = box.right + 14 + width <= window.innerWidth - 8;
  const below = box.bottom + 6 + height <= window.innerHeight - 8;
  const left = fits ? box.right + 14 : Math.min(box.left, window.innerWidth - width - 8);
  const top = fits ? Math.min(box.top, window.innerHeight - height - 8) : below ? box.bottom + 6 : box.top - height - 6;
  tip.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
}

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
export function reducedMotion() {
  return lessMotion.matches;
}

/** Call `act` when the theme changes, by the toggle or by the system. */
export function onTheme(act) {
  document.addEventListener("themechange", act);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", act);
}
