// SM4-GCM by the module sm4_web.wasm. Keys have 16 bytes; a sealed message is a nonce of 12 random
// bytes, the ciphertext, and a tag of 16 bytes.

const KEY = 16, NONCE = 12, TAG = 16;

/** Loads the module: its address, or its bytes. */
export async function load(source) {
  const module = source instanceof ArrayBuffer || ArrayBuffer.isView(source)
    ? await WebAssembly.instantiate(source)
    : await WebAssembly.instantiateStreaming(fetch(source));
  const wasm = module.instance.exports;

  // The parts of the buffer. The memory may have moved, so they are made anew for each message.
  function parts(length) {
    const start = wasm.buffer(length);
    const part = (from, size) => new Uint8Array(wasm.memory.buffer, start + from, size);
    return {
      key: part(0, KEY),
      nonce: part(KEY, NONCE),
      text: part(KEY + NONCE, length),
      rest: part(KEY, NONCE + length + TAG),
    };
  }

  return {
    /** Bytes to bytes. */
    seal(key, message) {
      check(key);
      const { key: k, nonce, text, rest } = parts(message.length);
      k.set(key);
      crypto.getRandomValues(nonce);
      text.set(message);
      try {
        if (!wasm.seal()) throw new Error("too long");
        return rest.slice();
      } finally {
        wasm.wipe();
      }
    },

    /** Bytes to bytes; throws if the message is not authentic. */
    open(key, sealed) {
      check(key);
      if (sealed.length < NONCE + TAG) throw new Error("too short");
      const { key: k, text, rest } = parts(sealed.length - NONCE - TAG);
      k.set(key);
      rest.set(sealed);
      try {
        if (!wasm.open()) throw new Error("another key, or the message was changed");
        return text.slice();
      } finally {
        wasm.wipe();
      }
    },
  };
}

function check(key) {
  if (key.length !== KEY) throw new Error("a key has 16 bytes");
}
