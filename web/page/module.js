// Loads and calls the WebAssembly module. The caller writes bytes to the input buffer of the module,
// and reads results from its output buffer.

let exports;

// Loads the module, which is compressed with gzip and encoded in base64.
async function loadModule(base64) {
  const compressed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  try {
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    ({ exports } = (await WebAssembly.instantiate(bytes)).instance);
  } catch (error) {
    throw new Error(`This browser can't run the page: it needs WebAssembly with SIMD (${error.message}).`);
  }
}

// Calls a function of the module without input.
function callModule(name) {
  exports[name]();
}

// Writes bytes to the input buffer, calls a function of the module with their number, and returns its
// result.
function callWithInput(name, bytes) {
  const address = exports.input(bytes.length);
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  return exports[name](bytes.length);
}

// Returns a copy of the output of the last call.
function copyOutput() {
  return new Uint8Array(exports.memory.buffer, exports.output(), exports.output_len()).slice();
}

// Calls a function of the module without input. Returns its output, parsed as JSON.
function callForJson(name) {
  callModule(name);
  return JSON.parse(new TextDecoder().decode(copyOutput()));
}

// Starts an analysis or a conversion. `words` are the arguments, separated by spaces. Returns the
// length of the byte order mark, in bytes.
function startTask(name, words) {
  const markLength = callWithInput(name, new TextEncoder().encode(words));
  if (markLength < 0) throw new Error(`Unknown request of the page: ${words}.`);
  return markLength;
}

// Returns the size of the memory of the module, in bytes.
function memorySize() {
  return exports.memory.buffer.byteLength;
}
