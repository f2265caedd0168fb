// Tests of sm4.js: `node test.mjs`, after the module was built (see README.md).

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { load } from "./sm4.js";

const sm4 = await load(await readFile(new URL("sm4_web.wasm", import.meta.url)));
const key = new TextEncoder().encode("0123456789ABCDEF");
const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));

// By Bouncy Castle 1.72, SM4/GCM/NoPadding, with the nonce "once per key" before it.
const known = new Uint8Array([...new TextEncoder().encode("once per key"), ...bytes("6ed8dadee6a8a04c2745c4d1d9b9f0e58a2facba6e2e24")]);
assert.equal(new TextDecoder().decode(sm4.open(key, known)), "message");

for (const length of [0, 1, 15, 16, 17, 1000, 1 << 20]) {
  const message = new Uint8Array(length).map((_, i) => (i * i) >> 3);
  const [first, second] = [sm4.seal(key, message), sm4.seal(key, message)];
  assert.equal(first.length, 12 + length + 16);
  assert.notDeepEqual(first, second);
  assert.deepEqual(sm4.open(key, first), message);
  for (const at of [0, 12, first.length - 1]) {
    const changed = first.slice();
    changed[at] ^= 1;
    assert.throws(() => sm4.open(key, changed), /another key, or the message was changed/);
  }
}
assert.throws(() => sm4.open(key, new Uint8Array(27)), /too short/);
assert.throws(() => sm4.seal(new Uint8Array(15), new Uint8Array(1)), /16 bytes/);
console.log("ok");
