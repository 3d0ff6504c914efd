/**
 * Features with other people: a tour from the gallery, a presenter to follow, or viewers who follow. Loaded on demand.
 */

/** @import { Studio } from "./store.js" */

const LOOK_MS = 200;
const SLUG = /^[A-Za-z0-9]{1,16}$/;

export function wireWithOthers(/** @type {Studio} */ studio) {
  const follow = new URLSearchParams(window.location.search).get("follow") ?? "";
  if (SLUG.test(follow))
    import("../features/presenting/presenting.js")
      .then(({ Following }) => new Following(studio, follow))
      .catch(() => {});
  if (new URLSearchParams(window.location.search).has("present")) presentSoon(studio);
  const { gallery } = studio.boot;
  if (gallery) import("../features/tours/tour.js").then(({ Tour }) => new Tour(studio, gallery)).catch(() => {});
}

/** Present once the viewer's own experiment is loaded: a class's page links to an address that requests this. */
function presentSoon(/** @type {Studio} */ studio) {
  const timer = setInterval(async () => {
    if (!studio.saved.value || !studio.session.value?.run.id) return;
    clearInterval(timer);
    if (studio.readOnly.value || !studio.running.isMine) return;
    const { present } = await import("../features/presenting/presenting.js");
    present(studio);
  }, LOOK_MS);
}
