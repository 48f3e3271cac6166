// The page: a file comes in, is analysed, and can be saved in another encoding.

// The file that is shown, the chosen encoding (empty for the detected one), the encoding that it is
// read in, and its analysis.
let current;

// Shows one line about a problem; hides it if there is none.
function showProblem(text) {
  byId("problem").hidden = !text;
  byId("problem").textContent = text;
}

// Runs a task of the page. A problem is one line; a cancelled task says nothing.
async function attempt(task) {
  showProblem("");
  try {
    await task();
  } catch (error) {
    if (!(error instanceof Cancelled)) showProblem(error.message);
  }
}

// Analyses a file; `label` is the encoding to read it in, or empty for the detected one.
async function examine(file, label, note = "") {
  await attempt(async () => {
    if (current?.file !== file) {
      byId("results").hidden = true;
      current = undefined;
    }
    byId("status").textContent = "";
    byId("save").disabled = true;
    forgetSaved();
    let result;
    try {
      result = await withProgress(`Reading ${visible(file.name)}`, (progress) =>
        run({ task: "analyse", file, label }, { progress }));
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
    byId("status").textContent = `${visible(file.name)}: ${byId("encoding").textContent}. ${verdict}`;
  });
}

// Explains the chosen target.
function updateTarget() {
  const target = byId("target").value;
  byId("mark").disabled = target === "latin1";
  const repaired = current?.analysis?.errorCount ? "Each error becomes U+FFFD. " : "";
  const latin1 = target === "latin1" ? "Characters that Latin-1 does not have become “?”." : "";
  byId("convert-note").textContent = repaired + latin1;
  byId("convert-note").hidden = !(repaired + latin1);
}

// Returns the name of a file that is saved in an encoding.
function savedName(name, target) {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  return `${stem}.${target}${extension}`;
}

// Forgets the file that was saved last.
function forgetSaved() {
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
  forgetSaved();
  await attempt(async () => {
    const request = { task: "convert", file, label, target, mark, rounds };
    const { blob, illFormed, unmappable } = await withProgress(
      `Converting ${visible(file.name)}`,
      (progress) => run(request, { progress }),
    );
    const link = byId("saved");
    link.download = savedName(file.name, target);
    link.href = URL.createObjectURL(blob);
    link.textContent = `${visible(link.download)} (${size(blob.size)})`;
    link.dataset.bytes = blob.size;
    link.hidden = false;
    link.click();
    const repairs = [
      illFormed ? `${counted(illFormed, "error")} replaced` : "",
      unmappable ? `${counted(unmappable, "character")} not in ${targetName}` : "",
    ].filter(Boolean);
    byId("status").textContent = `Saved as ${targetName}.`;
    byId("convert-note").textContent = `${repairs.join(", ") || "Nothing had to be replaced"}.`;
    byId("convert-note").hidden = false;
  });
}

// Examines the first of the files that came in.
function receive(files, isFolder = false) {
  if (isFolder) return showProblem("This is a folder: choose a file in it.");
  if (!files.length) return showProblem("No file was dropped.");
  const rest = files.length - 1;
  examine(files[0], "", rest ? `Only the first file is shown; ${counted(rest, "other")} not.` : "");
}

// Examines pasted text or bytes.
function receivePasted() {
  const text = byId("pasted").value;
  const isHex = document.querySelector("input[name=paste-kind]:checked").value === "hex";
  try {
    if (isHex) return examine(new File([bytesOfHex(text)], "pasted bytes"), "");
  } catch (error) {
    return showProblem(error.message);
  }
  // UTF-8 cannot have an unpaired surrogate, which a script may have put on the clipboard.
  if (!/\p{Cs}/u.test(text)) return examine(new File([text], "pasted text.txt"), "utf-8");
  const units = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at += 1) units.setUint16(2 * at, text.charCodeAt(at), true);
  return examine(new File([units], "pasted text.txt"), "utf-16le");
}

function listen() {
  const drop = byId("drop");
  byId("file").addEventListener("change", () => {
    receive([...byId("file").files]);
    // So that the same file can be chosen again.
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
    receive([...files], items[0]?.webkitGetAsEntry?.()?.isDirectory);
  });
  document.addEventListener("paste", (event) => {
    if (event.clipboardData?.files.length) {
      event.preventDefault();
      receive([...event.clipboardData.files]);
    }
  });
  byId("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    receivePasted();
  });
  byId("read-as").addEventListener("change", () => examine(current.file, byId("read-as").value));
  byId("target").addEventListener("change", updateTarget);
  byId("cancel").addEventListener("click", cancel);
  byId("convert-form").addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
}

listen();
