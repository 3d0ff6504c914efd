/** Marks that flash and fade on the map: a dot for a refusal, a cross for a fault, a diamond for a loan, a ring for anything else. */

export const FLASH_MS = 1000;
const MOST_FLASHES = 300;

export class Flashes {
  constructor() { this.alive = []; }

  add(marks, now) {
    for (const mark of marks.slice(-MOST_FLASHES)) if (mark.machine >= 0) this.alive.push({ machine: mark.machine, kind: mark.kind, born: now });
    if (this.alive.length > MOST_FLASHES) this.alive.splice(0, this.alive.length - MOST_FLASHES);
  }

  clear() { this.alive = []; }

  /** Whether anything is to be drawn, or to be wiped away. */
  age(now) {
    const before = this.alive.length;
    this.alive = this.alive.filter((flash) => now - flash.born < FLASH_MS);
    return before > 0;
  }

  /** Draw all; `box(machine)` gives [x, y, width, height] or null off the screen. Without motion they stand, then go. */
  draw(pen, now, box, { scale, ink, alarm, paper, still }) {
    for (const flash of this.alive) {
      const place = box(flash.machine);
      if (!place) continue;
      const age = (now - flash.born) / FLASH_MS;
      pen.globalAlpha = still ? 0.75 : (1 - age) ** 1.5;
      const mark = { kind: flash.kind, age: still ? 0.25 : age };
      if (mark.kind === "refusal") dot(pen, place, scale, alarm, paper);
      else if (mark.kind === "fault") cross(pen, place, scale, alarm, paper);
      else if (mark.kind === "repartition") diamond(pen, place, scale, ink, paper);
      else ring(pen, place, mark.age, scale, ink);
    }
    pen.globalAlpha = 1;
  }
}

function dot(pen, [x, y, wide, high], scale, alarm, paper) {
  pen.fillStyle = alarm;
  pen.beginPath();
  pen.arc(x + wide / 2, y + high / 2, Math.max(2 * scale, Math.min(Math.max(wide, 5 * scale) * 0.21, 5 * scale)), 0, 7);
  pen.fill();
  pen.strokeStyle = paper;
  pen.lineWidth = scale;
  pen.stroke();
}

function cross(pen, [x, y, wide, high], scale, alarm, paper) {
  const arm = Math.max(3 * scale, Math.min(wide, high, 20 * scale) * 0.36);
  const [cx, cy] = [x + wide / 2, y + high / 2];
  for (const [colour, thick] of [[paper, 4], [alarm, 2]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = thick * scale;
    pen.beginPath();
    pen.moveTo(cx - arm, cy - arm); pen.lineTo(cx + arm, cy + arm);
    pen.moveTo(cx + arm, cy - arm); pen.lineTo(cx - arm, cy + arm);
    pen.stroke();
  }
}

function diamond(pen, [x, y, wide, high], scale, ink, paper) {
  const half = Math.max(2.5 * scale, Math.min(wide * 0.24, 6 * scale));
  const [cx, cy] = [x + wide / 2, y + high / 2];
  pen.fillStyle = ink;
  pen.strokeStyle = paper;
  pen.lineWidth = scale;
  pen.beginPath();
  pen.moveTo(cx, cy - half); pen.lineTo(cx + half, cy); pen.lineTo(cx, cy + half); pen.lineTo(cx - half, cy);
  pen.closePath();
  pen.fill();
  pen.stroke();
}

/** A ring in the shape of the cell: circles would cover the neighbours. */
function ring(pen, [x, y, wide, high], age, scale, ink) {
  const spread = (0.5 + age * 2) * scale;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.5 * scale;
  pen.beginPath();
  pen.roundRect(x - spread, y - spread, wide + 2 * spread, high + 2 * spread, Math.min(3 * scale, wide / 5));
  pen.stroke();
}
