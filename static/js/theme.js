// Runs before the first paint, so that a chosen theme does not flash in the other one; also serves the links to
// languages.
(() => {
  try {
    const chosen = localStorage.getItem("playground.theme");
    if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  } catch {
    /* private window: the system's theme holds */
  }
  // Studios change their address while they run: another language opens what is shown now.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[data-language]");
    if (!(link instanceof HTMLAnchorElement)) return;
    const here = new URL(location.href);
    here.searchParams.set("lang", link.hreflang);
    link.href = here.href;
  });
})();
