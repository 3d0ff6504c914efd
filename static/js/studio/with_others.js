/**
 * What brings others to the picture: a tour from the gallery, a presenter to follow, or people who follow. Fetched when
 * wanted.
 */

/** @import { Studio } from "./store.js" */

const SLUG = /^[A-Za-z0-9]{1,16}$/;

export function wireWithOthers(/** @type {Studio} */ studio) {
  const follow = new URLSearchParams(window.location.search).get("follow") ?? "";
  if (SLUG.test(follow))
    import("../features/presenting/presenting.js")
      .then(({ Following }) => new Following(studio, follow))
      .catch(() => {});
  const { gallery } = studio.boot;
  if (gallery) import("../features/tours/tour.js").then(({ Tour }) => new Tour(studio, gallery)).catch(() => {});
}
