// Runs before the first paint, so that a chosen theme does not flash in the other one.
(() => {
  try {
    const chosen = localStorage.getItem("playground.theme");
    if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  } catch {
    /* private window: the system's theme holds */
  }
})();
