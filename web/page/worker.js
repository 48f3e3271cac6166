// The worker: reads a file in chunks, and passes them to the module.

// Bytes of a chunk.
const CHUNK = 1 << 20;

// Bytes of the beginning that are shown; a byte order mark is in it.
const HEAD = 32;

// The least milliseconds between two messages about progress.
const PROGRESS_PAUSE = 40;

// Returns the function that reports the bytes done.
function reporter(total) {
  let last = 0;
  return (done) => {
    const now = performance.now();
    if (now - last < PROGRESS_PAUSE && done < total) return;
    last = now;
    postMessage(["progress", [done, total]]);
  };
}

// Returns bytes of a file.
async function read(file, start, end) {
  try {
    return new Uint8Array(await file.slice(start, end).arrayBuffer());
  } catch {
    throw new Error("The file can't be read: it is gone, has changed, is a folder, or may not be read.");
  }
}

// Passes each chunk of a file, from an offset on, to a function of the module. `done` gets the bytes
// up to the end of the chunk.
async function eachChunk(file, start, name, done) {
  for (let at = start; at < file.size; at += CHUNK) {
    const end = Math.min(at + CHUNK, file.size);
    set(name, await read(file, at, end));
    done(end);
  }
}

// Returns the first bytes of a file, which the module keeps.
async function begun(file) {
  const head = await read(file, 0, Math.min(HEAD, file.size));
  set("set_head", head);
  return head;
}

// Analyses a file in an encoding, with rounds of double encoding undone first.
async function analysePass(file, label, rounds, done) {
  const start = begin("start_analysis", `${label} ${rounds}`);
  await eachChunk(file, start, "push_analysis", done);
  return ask("finish_analysis");
}

// Analyses a file: all of it is read for its encoding, then in that encoding, and once more for each
// round of double encoding.
async function analyse({ file, label }) {
  const head = await begun(file);
  const report = reporter(file.size);
  call("start_survey");
  await eachChunk(file, 0, "push_survey", (done) => report(done / 2));
  const { detection, candidates } = ask("finish_survey");
  // Data that is no text, or is in several encodings, can't be converted.
  const used = label || detection.possible[0];
  let analysis;
  if (used !== undefined) {
    const done = (bytes) => report((file.size + bytes) / 2);
    analysis = await analysePass(file, used, "", done);
    let rounds = "";
    let { double } = analysis;
    analysis.sample = double.before === undefined ? undefined : double;
    while (double.whole) {
      rounds += double.whole;
      ({ double } = await analysePass(file, used, rounds, done));
    }
    analysis.rounds = rounds;
  }
  const encodings = ask("encodings");
  return { detection, candidates, label: used, analysis, head, encodings, memory: memorySize() };
}

// Converts a file. The result is a Blob of Blobs, which the browser may keep on its disk.
async function convert({ file, label, target, mark, rounds }) {
  await begun(file);
  const start = begin("start_conversion", `${label} ${target} ${mark ? "mark" : "plain"} ${rounds}`);
  const progress = reporter(file.size);
  const parts = [];
  const keep = () => parts.push(new Blob([output()]));
  await eachChunk(file, start, "push_conversion", (done) => {
    keep();
    progress(done);
  });
  call("finish_conversion");
  keep();
  const { illFormed, unmappable } = ask("report_conversion");
  const blob = new Blob(parts, { type: "application/octet-stream" });
  // The U+FFFD of each error is a character that Latin-1 does not have.
  return { blob, illFormed, unmappable: target === "latin1" ? unmappable - illFormed : 0 };
}

const TASKS = { analyse, convert };
let loaded;

onmessage = async ({ data }) => {
  if (data.module) {
    loaded = load(data.module);
    // It has the failure of the first task.
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
