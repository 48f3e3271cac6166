// The worker: reads a file in chunks, and passes them to the module.

// Bytes of a chunk.
const CHUNK = 1 << 20;

// Bytes of the beginning that detection examines of a large file.
const BEGINNING = 1 << 20;

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

// Passes each chunk of a file, from an offset on, to a function. It may return `false` to end.
async function eachChunk(file, start, use) {
  for (let at = start; at < file.size; at += CHUNK) {
    const chunk = await read(file, at, Math.min(at + CHUNK, file.size));
    if (use(chunk, at) === false) return;
  }
}

// Detects the encoding of a file. ASCII at the beginning of a large file tells little, so it is
// detected again where the first other byte is.
async function detect(file, beginning) {
  const whole = beginning.length === file.size;
  set("set_head", beginning);
  const found = ask("detect", beginning, whole ? 1 : 0);
  if (whole || found.kind !== "ascii") return found;
  let other;
  await eachChunk(file, 0, (chunk, at) => {
    const ascii = set("ascii_up_to", chunk);
    if (ascii < chunk.length) other = at + ascii;
    return other === undefined;
  });
  if (other === undefined) return { ...found, confidence: "certain" };
  const end = Math.min(other + BEGINNING, file.size);
  const again = ask("detect", await read(file, other, end), end === file.size ? 1 : 0);
  const until = other.toLocaleString("en");
  return { ...again, reason: `ASCII up to byte ${until}; from there on: ${again.reason}` };
}

// Analyses a file in an encoding, with rounds of double encoding undone first.
async function analysePass(file, label, rounds, chunkDone) {
  const decoder = label in LEGACY ? new Decoder(label) : undefined;
  const start = begin("start_analysis", `${decoder ? "utf-8" : label} ${rounds}`);
  await eachChunk(file, decoder ? 0 : start, (chunk, at) => {
    set("push_analysis", decoder ? decoder.push(chunk) : chunk);
    chunkDone(chunk, at);
  });
  if (decoder) set("push_analysis", decoder.finish());
  const result = ask("finish_analysis");
  // The errors of a decoder are characters in its text: they have no place in the file.
  if (decoder) Object.assign(result, { errorCount: decoder.replaced, errors: [] });
  return result;
}

// Analyses a file: detection, validity in all encodings, the analysis in one of them, and once more
// for each round of double encoding.
async function analyse({ file, label }) {
  const beginning = await read(file, 0, BEGINNING);
  const detection = await detect(file, beginning);
  const report = reporter(file.size);
  const used = label || detectedLabel(detection);
  call("start_candidates");
  const validate = (chunk, at) => {
    set("push_candidates", chunk);
    report(at + chunk.length);
  };
  let analysis;
  if (used === undefined) {
    await eachChunk(file, 0, validate);
  } else {
    // The chunks of an analysis begin after the byte order mark.
    const mark = used in LEGACY ? 0 : begin("start_analysis", `${used} `);
    set("push_candidates", beginning.subarray(0, mark));
    analysis = await analysePass(file, used, "", validate);
    let rounds = "";
    let { double } = analysis;
    analysis.sample = double.before === undefined ? undefined : double;
    while (double.whole) {
      rounds += double.whole;
      ({ double } = await analysePass(file, used, rounds, (chunk, at) => report(at + chunk.length)));
    }
    analysis.rounds = rounds;
  }
  const candidates = ask("finish_candidates");
  return { detection, candidates, label: used, analysis, head: beginning.slice(0, 32), memory: memorySize() };
}

// Converts a file. The result is a Blob of Blobs, which the browser may keep on its disk.
async function convert({ file, label, target, mark, rounds }) {
  const decoder = label in LEGACY ? new Decoder(label) : undefined;
  const words = `${decoder ? "utf-8" : label} ${target} ${mark ? "mark" : "plain"} ${rounds}`;
  const start = begin("start_conversion", words);
  const progress = reporter(file.size);
  const parts = [];
  const keep = () => parts.push(new Blob([output()]));
  await eachChunk(file, decoder ? 0 : start, (chunk, at) => {
    set("push_conversion", decoder ? decoder.push(chunk) : chunk);
    keep();
    progress(at + chunk.length);
  });
  if (decoder) {
    set("push_conversion", decoder.finish());
    keep();
  }
  call("finish_conversion");
  keep();
  const report = ask("report_conversion");
  const blob = new Blob(parts, { type: "application/octet-stream" });
  const illFormed = decoder ? decoder.replaced : report.illFormed;
  // The U+FFFD of each error is a character that Latin-1 does not have.
  const unmappable = target === "latin1" ? report.unmappable - illFormed : 0;
  return { blob, illFormed, unmappable };
}

const TASKS = { analyse, convert };
let loaded;

onmessage = async ({ data }) => {
  if (data.module) {
    loaded = load(data.module);
    // Its failure is that of the first task.
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
