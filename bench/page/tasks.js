// A recorded run that plays with its tasks drawn; bench/tasks.py serves the recording and reads the figures.
import { FrameStore } from "/static/js/run/frames.js";
import { MapView } from "/static/js/draw/map/map.js";
import { Player } from "/static/js/run/player.js";
import { TasksView } from "/static/js/draw/work/view.js";
import { parseRecording } from "/static/js/run/recording.js";

const { meta, frames, track, summary } = parseRecording(new Uint8Array(await (await fetch("/bench/recording")).arrayBuffer()));
const store = new FrameStore();
for (const frame of frames) store.append(frame);
store.track = track;
store.summary ||= summary;
const map = new MapView(document.querySelector("[data-map]"));
const tasks = new TasksView(map, document.createElement("div"));
map.setMeta(meta);
tasks.setMeta(meta);

/** Play for some seconds from the middle of the run, with or without tasks. Returns frames a second. */
window.play = (seconds, drawn) => new Promise((done) => {
  const player = new Player(store, { t_ns: store.endNs * 0.4, loop: true });
  let [frames, began, before, index] = [0, null, 0, -1];
  const step = (now) => {
    began ??= now;
    player.tick(before ? now - before : 0);
    before = now;
    const next = store.indexAt(player.t_ns);
    if (next !== index) map.show(store.pictureAt(next));
    index = next;
    map.drawOver(now);
    if (drawn) tasks.draw(player, store.pictureAt(index));
    frames += 1;
    if (now - began < seconds * 1000) requestAnimationFrame(step);
    else done({ rate: ((frames - 1) * 1000) / (now - began), drawn: tasks.drawn, machines: meta.machines });
  };
  requestAnimationFrame(step);
});
window.ready = true;
