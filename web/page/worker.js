// The worker: reads a file in chunks, and passes them to the module.

// The size of a chunk, in bytes.
const CHUNK_BYTES = 1 << 20;

// The number of bytes of the beginning that are shown. They include a byte order mark.
const HEAD_BYTES = 32;

// The minimum time between two messages about progress, in milliseconds.
const PROGRESS_PAUSE_MS = 40;

// Returns a function that reports progress: the number of bytes done, out of `total`.
function progressReporter(total) {
  let lastTime = 0;
  return (done) => {
    const now = performance.now();
    if (now - lastTime < PROGRESS_PAUSE_MS && done < total) return;
    lastTime = now;
    postMessage(["progress", [done, total]]);
  };
}

// Returns the bytes of a file between two offsets.
async function readBytes(file, start, end) {
  try {
    return new Uint8Array(await file.slice(start, end).arrayBuffer());
  } catch {
    throw new Error("The file can't be read: it was deleted or changed, is a folder, or reading it is not allowed.");
  }
}

// Passes the file from offset `start` to a function of the module, chunk by chunk. After each chunk,
// calls `onChunk` with the offset of the end of the chunk.
async function pushChunks(file, start, name, onChunk) {
  for (let offset = start; offset < file.size; offset += CHUNK_BYTES) {
    const end = Math.min(offset + CHUNK_BYTES, file.size);
    callWithInput(name, await readBytes(file, offset, end));
    onChunk(end);
  }
}

// Passes the first bytes of a file to the module, which keeps them, and returns them.
async function passHead(file) {
  const head = await readBytes(file, 0, Math.min(HEAD_BYTES, file.size));
  callWithInput("set_head", head);
  return head;
}

// Analyses a file in an encoding, after undoing the given rounds of double encoding.
async function analysePass(file, label, rounds, onChunk) {
  const start = startTask("start_analysis", `${label} ${rounds}`);
  await pushChunks(file, start, "push_analysis", onChunk);
  return callForJson("finish_analysis");
}

// Analyses a file. Reads the whole file to detect the encoding, then again to decode it, and then once
// more for each round of double encoding.
async function analyse({ file, label }) {
  const head = await passHead(file);
  const report = progressReporter(file.size);
  callModule("start_detection");
  await pushChunks(file, 0, "push_detection", (end) => report(end / 2));
  const { detection, candidates } = callForJson("finish_detection");
  // Without a possible encoding (not text, or parts in different encodings), nothing is decoded.
  const usedLabel = label || detection.possible[0];
  let analysis;
  if (usedLabel !== undefined) {
    const onChunk = (end) => report((file.size + end) / 2);
    analysis = await analysePass(file, usedLabel, "", onChunk);
    let rounds = "";
    let { double } = analysis;
    analysis.sample = double.before === undefined ? undefined : double;
    while (double.whole) {
      rounds += double.whole;
      ({ double } = await analysePass(file, usedLabel, rounds, onChunk));
    }
    analysis.rounds = rounds;
  }
  const encodings = callForJson("list_encodings");
  return { detection, candidates, label: usedLabel, analysis, head, encodings, memory: memorySize() };
}

// Converts a file. The result is a Blob that consists of one Blob per chunk, which the browser may
// keep on disk.
async function convert({ file, label, target, mark, rounds }) {
  await passHead(file);
  const start = startTask("start_conversion", `${label} ${target} ${mark ? "mark" : "plain"} ${rounds}`);
  const report = progressReporter(file.size);
  const parts = [];
  const addPart = () => parts.push(new Blob([copyOutput()]));
  await pushChunks(file, start, "push_conversion", (end) => {
    addPart();
    report(end);
  });
  callModule("finish_conversion");
  addPart();
  const { illFormed, unmappable } = callForJson("report_conversion");
  const blob = new Blob(parts, { type: "application/octet-stream" });
  // Each error becomes U+FFFD, which Latin-1 lacks, so the module counts it as unmappable too.
  return { blob, illFormed, unmappable: target === "latin1" ? unmappable - illFormed : 0 };
}

const TASKS = { analyse, convert };
// A promise that ends when the module is loaded.
let loaded;

onmessage = async ({ data }) => {
  if (data.module) {
    loaded = loadModule(data.module);
    // The first task awaits the promise too, and reports a failure.
    loaded.catch(() => {});
    return;
  }
  try {
    await loaded;
    postMessage(["done", await TASKS[data.task](data)]);
  } catch (error) {
    const trapped = error instanceof WebAssembly.RuntimeError;
    const problem = trapped ? `The page failed on this file (${error.message}).` : error.message;
    postMessage(["failed", problem]);
  }
};
