// A data centre of 50,000 machines whose picture changes at every animation frame; bench/map.py reads the figures.
import { FrameStore } from "/static/js/run/frames.js";
import { MapView } from "/static/js/draw/map/map.js";

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

// -- going through a recording: what a run of a million tasks leaves, 600 frames and 100,000 marks --------------------

const FRAMES = 600;
const MARKS = 100_000;

function recorded() {
  const store = new FrameStore();
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const each = changes[frame % changes.length];
    const idx = new Uint8Array(Uint32Array.from(each, (one) => one[0]).buffer);
    const change = (place) => ({ idx, val: Uint8Array.from(each, (one) => (place === 3 && !one[2] ? 255 : one[place])) });
    const key = frame === 0;
    const whole = Object.fromEntries(Object.entries(layers).map(([name, bytes]) => [name, { full: bytes.slice() }]));
    store.append({
      seq: frame, from_seq: frame, t_ns: frame * 1e9, key, counters: { tasks_done: frame }, layers: key ? whole : { load: change(1), lent: change(2), borrower: change(3) },
      marks: Array.from({ length: MARKS / FRAMES }, () => [(frame - 0.5) * 1e9, "refusal", random(MACHINES), random(1e6)]),
    });
  }
  return store;
}

const painted = () => new Promise((done) => { requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); }); });

/** Milliseconds from asking for a random instant until its picture is painted, of so many. */
window.seek = async (times) => {
  window.store ??= recorded();
  const took = [];
  for (let time = 0; time < times; time += 1) {
    const t_ns = random(FRAMES) * 1e9;
    const began = performance.now();
    map.show(window.store.pictureAtTime(t_ns));
    map.flash(window.store.marksBetween(t_ns - 1e9, t_ns).slice(0, 50));
    map.drawOver(began);
    await painted();
    took.push(performance.now() - began);
  }
  return took;
};

/** Frames a second while the whole recording is dragged through, forth and back, every four seconds. */
window.scrub = (seconds) => new Promise((done) => {
  window.store ??= recorded();
  let frames = 0;
  let began = null;
  const step = (now) => {
    began ??= now;
    const share = ((now - began) / 4000) % 2;
    map.show(window.store.pictureAtTime((share < 1 ? share : 2 - share) * FRAMES * 1e9));
    map.drawOver(now);
    frames += 1;
    if (now - began < seconds * 1000) requestAnimationFrame(step); else done(((frames - 1) * 1000) / (now - began));
  };
  requestAnimationFrame(step);
});
window.ready = true;
