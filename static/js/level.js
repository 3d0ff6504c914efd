// Runs before the first paint, so that the studio does not open as one level and jump to another.
// The order: the level of the link, the level chosen last, Watch in the bare studio, the Lab for older links.
(() => {
  const LEVELS = ["watch", "play", "lab"];
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search).get("level");
  let chosen = null;
  try {
    chosen = localStorage.getItem("playground.level");
  } catch {
    /* private window: nothing is remembered */
  }
  const bare = /^\/studio\/?$/.test(location.pathname) && !location.hash && !/[?&]gallery=/.test(location.search);
  const level = [asked, chosen].find((each) => each && LEVELS.includes(each));
  root.dataset.level = level ?? (bare ? "watch" : "lab");
  root.dataset.levelSaid = String(Boolean(level) || bare);
})();
