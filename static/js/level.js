// Set the studio's level before the first paint, so that the page does not open at one level and jump to another.
// Precedence: the link's level, the level chosen last, Watch in a bare studio, Lab for older links.
(() => {
  const LEVELS = ["watch", "play", "lab"];
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search).get("level");
  let chosen = null;
  try {
    chosen = localStorage.getItem("playground.level");
  } catch {
    /* Storage is unavailable in a private window. */
  }
  const bare = /^\/studio\/?$/.test(location.pathname) && !location.hash && !/[?&]gallery=/.test(location.search);
  const level = [asked, chosen].find((each) => each && LEVELS.includes(each));
  root.dataset.level = level ?? (bare ? "watch" : "lab");
  root.dataset.levelSaid = String(Boolean(level) || bare);
})();
