// The WebAssembly module, and its calls: bytes go through its input buffer, results come from its
// output buffer.

let exports;

// Loads the module from base64 of gzip.
async function load(base64) {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    ({ exports } = (await WebAssembly.instantiate(bytes)).instance);
  } catch (error) {
    throw new Error(`This browser can't run the page: it needs WebAssembly with SIMD (${error.message}).`);
  }
}

// Calls a function of the module without input.
function call(name) {
  exports[name]();
}

// Passes bytes to a function of the module.
function set(name, bytes) {
  const at = exports.input(bytes.length);
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  return exports[name](bytes.length);
}

// Returns a copy of the output of the last call.
function output() {
  return new Uint8Array(exports.memory.buffer, exports.output(), exports.output_len()).slice();
}

// Returns the output of a function as JSON.
function ask(name) {
  call(name);
  return JSON.parse(new TextDecoder().decode(output()));
}

// Starts an analysis or a conversion by words. Returns the bytes of the byte order mark.
function begin(name, words) {
  const start = set(name, new TextEncoder().encode(words));
  if (start < 0) throw new Error(`Unknown request of the page: ${words}.`);
  return start;
}

// Returns the bytes of the module's memory.
function memorySize() {
  return exports.memory.buffer.byteLength;
}
