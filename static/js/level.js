// Runs before the first paint, so that the studio does not open as one level and jump to another.
// The order: what the link says, what the visitor chose last, Watch for who opens the bare studio, the Lab for links of
// before.
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
  const level = [asked, chosen, bare ? "watch" : "lab"].find((each) => LEVELS.includes(each));
  root.dataset.level = level;
  root.dataset.levelSaid = String(LEVELS.includes(asked) || LEVELS.includes(chosen) || bare);
})();
