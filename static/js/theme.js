// Set the chosen theme before the first paint, so that the page does not flash in the other theme. Also update the
// language links.
(() => {
  try {
    const chosen = localStorage.getItem("playground.theme");
    if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  } catch {
    /* Storage is unavailable in a private window; the system's theme applies. */
  }
  // The studio changes its address while it runs, so a language link opens the current address.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[data-language]");
    if (!(link instanceof HTMLAnchorElement)) return;
    const here = new URL(location.href);
    here.searchParams.set("lang", link.hreflang);
    link.href = here.href;
  });
})();
