// The page: gets a file from the user, analyses it, and saves it in another encoding.

// The file that is shown (`file`), the encoding that the user chose (`choice`, empty for the detected
// encoding), the encoding in which the file is read (`label`), and the analysis of the file.
let current;

// Shows a message about a problem. Hides the message if `text` is empty.
function showProblem(text) {
  byId("problem").hidden = !text;
  byId("problem").textContent = text;
}

// Runs a task. Shows the message of an error, unless the task was cancelled.
async function attempt(task) {
  showProblem("");
  try {
    await task();
  } catch (error) {
    if (!(error instanceof Cancelled)) showProblem(error.message);
  }
}

// Analyses a file and shows the results. `label` is the encoding in which the file is read, or empty
// for the detected encoding.
async function examine(file, label, note = "") {
  await attempt(async () => {
    if (current?.file !== file) {
      byId("results").hidden = true;
      current = undefined;
    }
    byId("status").textContent = "";
    byId("save").disabled = true;
    releaseSaved();
    let result;
    try {
      result = await withProgress(`Reading ${escapeInvisible(file.name)}`, (progress) =>
        runJob({ task: "analyse", file, label }, { progress }));
      if (!byId("read-as").length) fillEncodings(byId("read-as"), result.encodings);
      current = { file, choice: label, label: result.label, analysis: result.analysis };
    } finally {
      byId("read-as").value = current?.choice ?? "";
      byId("save").disabled = false;
    }
    showDetection(result.detection, file, result.head, note);
    showCandidates(result.candidates);
    showAnalysis(result.label, result.analysis, file.size);
    byId("convert").hidden = result.analysis === undefined;
    updateTarget();
    byId("results").hidden = false;
    byId("results").dataset.memory = result.memory;
    const verdict = byId("verdict").hidden ? "" : byId("verdict").textContent;
    byId("status").textContent = `${escapeInvisible(file.name)}: ${byId("encoding").textContent}. ${verdict}`;
  });
}

// Updates the options and the note below them for the chosen target encoding.
function updateTarget() {
  const target = byId("target").value;
  byId("mark").disabled = target === "latin1";
  const errorNote = current?.analysis?.errorCount ? "Each error becomes U+FFFD. " : "";
  const latin1Note = target === "latin1" ? "Characters that Latin-1 does not have become “?”." : "";
  byId("convert-note").textContent = errorNote + latin1Note;
  byId("convert-note").hidden = !(errorNote + latin1Note);
}

// Returns the name of a file that is saved in an encoding.
function savedName(name, target) {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  return `${stem}.${target}${extension}`;
}

// Releases the file that was saved last, and hides the link to it.
function releaseSaved() {
  const link = byId("saved");
  if (link.href) URL.revokeObjectURL(link.href);
  link.removeAttribute("href");
  link.hidden = true;
}

// Converts the file and saves it.
async function save() {
  const { file, label, analysis } = current;
  const { value: target, text: targetName } = byId("target").selectedOptions[0];
  const mark = byId("mark").checked && !byId("mark").disabled;
  const rounds = byId("undo").checked && analysis.sample ? analysis.rounds || "R" : "";
  releaseSaved();
  await attempt(async () => {
    const request = { task: "convert", file, label, target, mark, rounds };
    const { blob, illFormed, unmappable } = await withProgress(
      `Converting ${escapeInvisible(file.name)}`,
      (progress) => runJob(request, { progress }),
    );
    const link = byId("saved");
    link.download = savedName(file.name, target);
    link.href = URL.createObjectURL(blob);
    link.textContent = `${escapeInvisible(link.download)} (${formatSize(blob.size)})`;
    link.dataset.bytes = blob.size;
    link.hidden = false;
    link.click();
    const repairs = [
      illFormed ? `${formatCount(illFormed, "error")} replaced` : "",
      unmappable ? `${formatCount(unmappable, "character")} not in ${targetName}` : "",
    ].filter(Boolean);
    byId("status").textContent = `Saved as ${targetName}.`;
    byId("convert-note").textContent = `${repairs.join(", ") || "Nothing had to be replaced"}.`;
    byId("convert-note").hidden = false;
  });
}

// Analyses the first of the files that the user chose, dropped or pasted.
function examineFirst(files, isFolder = false) {
  if (isFolder) return showProblem("This is a folder: choose a file in it.");
  if (!files.length) return showProblem("No file was dropped.");
  const note = files.length > 1 ? `Only the first of ${files.length} files is shown.` : "";
  examine(files[0], "", note);
}

// Analyses pasted text or bytes.
function examinePasted() {
  const text = byId("pasted").value;
  const isHex = document.querySelector("input[name=paste-kind]:checked").value === "hex";
  try {
    if (isHex) return examine(new File([parseHex(text)], "pasted bytes"), "");
  } catch (error) {
    return showProblem(error.message);
  }
  // The pasted text may contain unpaired surrogates. UTF-8 cannot encode them, so such a text is
  // analysed as UTF-16.
  if (!/\p{Cs}/u.test(text)) return examine(new File([text], "pasted text.txt"), "utf-8");
  const units = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i += 1) units.setUint16(2 * i, text.charCodeAt(i), true);
  return examine(new File([units], "pasted text.txt"), "utf-16le");
}

// Connects the events of the page with the functions above.
function addListeners() {
  const drop = byId("drop");
  byId("file").addEventListener("change", () => {
    examineFirst([...byId("file").files]);
    // Without this, choosing the same file again would not be a change.
    byId("file").value = "";
  });
  for (const name of ["dragenter", "dragover"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const { files, items } = event.dataTransfer;
    examineFirst([...files], items[0]?.webkitGetAsEntry?.()?.isDirectory);
  });
  document.addEventListener("paste", (event) => {
    if (event.clipboardData?.files.length) {
      event.preventDefault();
      examineFirst([...event.clipboardData.files]);
    }
  });
  byId("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    examinePasted();
  });
  byId("read-as").addEventListener("change", () => examine(current.file, byId("read-as").value));
  byId("target").addEventListener("change", updateTarget);
  byId("cancel").addEventListener("click", cancel);
  byId("convert-form").addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
}

addListeners();
