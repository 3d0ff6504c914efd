/** Setup that every page runs first: read the page's data, wire the theme toggle. */

export function bootData() {
  const element = document.getElementById("boot");
  return element ? JSON.parse(element.textContent) : {};
}

export function wireTheme() {
  const root = document.documentElement;
  for (const button of document.querySelectorAll("[data-theme-toggle]")) {
    button.addEventListener("click", () => {
      const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      const next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
      root.dataset.theme = next;
      try {
        localStorage.setItem("playground.theme", next);
      } catch {
        /* Storage is unavailable in a private window. */
      }
      document.dispatchEvent(new Event("themechange"));
    });
  }
}

/** Show times in the browser's time zone and the page's language. */
export function localTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[datetime]"))) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime()))
      time.textContent = when.toLocaleString(document.documentElement.lang || undefined, {
        dateStyle: "medium",
        timeStyle: "short",
      });
  }
}
