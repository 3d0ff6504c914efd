// A data centre of 50,000 machines whose picture changes at every animation frame; bench/map.py reads the figures.
import { MapView } from "/static/js/views/map.js";

const OWNERS = 8;
const CLUSTERS = 25;
const EACH = 2000;
const MACHINES = CLUSTERS * EACH;
const CHANGED = MACHINES / 20;

const clusters = Array.from({ length: CLUSTERS }, (_, number) => ({
  name: `lm-${number}`, first: number * EACH, machines: EACH, racks: Array(20).fill(EACH / 20),
  partitions: Array.from({ length: OWNERS }, (__, owner) => ({ owner, first: number * EACH + (owner * EACH) / OWNERS, machines: EACH / OWNERS })),
}));
const layer = (name, kind) => ({ name, label: name, kind, help: "" });
const meta = {
  machines: MACHINES, clusters, owners: Array.from({ length: OWNERS }, (_, owner) => `GM ${owner}`),
  layers: [layer("owner", "category"), layer("load", "level"), layer("lent", "level"), layer("borrower", "category"), layer("outage", "level")], marks: [],
};
const layers = Object.fromEntries(meta.layers.map(({ name }) => [name, new Uint8Array(MACHINES)]));
for (const { partitions } of clusters) for (const part of partitions) layers.owner.fill(part.owner, part.first, part.first + part.machines);
layers.borrower.fill(255);

let seed = 12345;
const random = (below) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor((seed / 2 ** 32) * below); };

// Every change is drawn beforehand: only what a viewer's page does is measured.
const changes = Array.from({ length: 64 }, () => Array.from({ length: CHANGED }, () => [random(MACHINES), random(256), random(20) === 0 ? random(256) : 0, random(OWNERS)]));

function apply(frame) {
  for (const [machine, load, lent, borrower] of changes[frame % changes.length]) {
    layers.load[machine] = load;
    layers.lent[machine] = lent;
    layers.borrower[machine] = lent ? borrower : 255;
  }
}

const map = new MapView(document.querySelector("[data-map]"));
map.setMeta(meta);
map.show({ layers, counters: {}, t_ns: 0 });

/** Draw for some seconds; `pan`: the camera moves at every frame, too. Returns frames a second. */
window.play = (seconds, zoom, pan) => new Promise((done) => {
  map.goTo(zoom > 1 ? { zoom, centre: MACHINES / 2 } : null);
  if (zoom <= 1) map.fit();
  let frames = 0;
  let began = null;
  const step = (now) => {
    began ??= now;
    apply(frames);
    if (pan) map.moveTo({ ...map.camera, x: 0.5 + 0.3 * Math.sin(frames / 40) });
    map.flash(Array.from({ length: 5 }, () => ({ machine: random(MACHINES), kind: ["refusal", "preemption", "fault"][random(3)] })));
    map.show({ layers, counters: {}, t_ns: frames });
    map.drawOver(now);
    frames += 1;
    if (now - began < seconds * 1000) requestAnimationFrame(step);
    else done({ rate: ((frames - 1) * 1000) / (now - began), factor: map.factor, minimap: !document.querySelector(".minimap").hidden });
  };
  requestAnimationFrame(step);
});
window.ready = true;
