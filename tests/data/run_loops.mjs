// Run event loops in node for a test that stays at the other end of stdin and stdout. A message is the length of a
// header (four bytes, little-endian), the header as JSON, and as many bytes as its `bytes` says.
import fs from "node:fs";
import { Loops } from "./loops.js";

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const got = fs.readSync(0, bytes, at, length - at, null);
    if (!got) process.exit(0); // the test has ended
    at += got;
  }
  return bytes;
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(1, bytes, at);
}

function tell(header, bytes) {
  const text = Buffer.from(JSON.stringify({ ...header, bytes: bytes.length }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  write(length);
  write(text);
  write(bytes);
}

const loops = new Loops();
const nothing = new Uint8Array();
for (;;) {
  const header = JSON.parse(read(read(4).readUInt32LE(0)).toString());
  const bytes = read(header.bytes);
  try {
    if ("groups" in header) {
      const { reason, after } = await loops.call(header, bytes);
      tell({ reason }, after);
    } else {
      await loops.add(header.module, bytes);
      tell({}, nothing);
    }
  } catch (error) {
    tell({ error: String(error) }, nothing);
  }
}
