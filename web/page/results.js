// Shows the results.

// The number of errors that are shown before the user asks for more.
const FIRST_SHOWN_ERRORS = 10;

// Returns advice about the detected encoding; an empty text if no advice is needed.
function detectionAdvice({ possible, mixed, confidence }) {
  if (mixed) return "Parts of this file are in different encodings. Split the file where the encoding changes, or choose one encoding for the whole file below.";
  if (!possible.length) return "This is probably not text. To examine it as text, choose an encoding below.";
  if (confidence !== "a guess") return "";
  return "utflane is unsure of this encoding. If the text below looks wrong, choose another encoding.";
}

// Shows the detected encoding, in the same words as the command.
function showDetection(detection, file, head, note) {
  byId("name").textContent = escapeInvisible(file.name);
  byId("note").hidden = !note;
  byId("note").textContent = note;
  const [best, ...others] = detection.possible;
  byId("encoding").textContent = detection.name;
  byId("confidence").textContent = detection.confidence;
  byId("confidence").hidden = detection.mixed;
  byId("reason").textContent = detection.reason + (others.length ? `; or ${others.join(", ")}` : "");
  byId("read-as").options[0].text = best ? `${best}, as detected` : "choose an encoding";
  byId("advice").textContent = detectionAdvice(detection);
  byId("advice").hidden = !byId("advice").textContent;
  byId("count-bytes").textContent = file.size.toLocaleString("en");
  byId("head").textContent = formatHex(head);
  byId("beginning").hidden = file.size === 0;
}

// Shows for each candidate encoding whether the bytes are well-formed, and the first error.
function showCandidates(candidates) {
  byId("candidates").replaceChildren(
    ...candidates.map(({ name, offset, kind }) => {
      const row = document.createElement("tr");
      const problem = kind === "incomplete" ? "up to an incomplete sequence" : "no: an error";
      const answer = offset === undefined ? "yes" : `${problem} at byte ${offset.toLocaleString("en")}`;
      row.append(newElement("td", name), newElement("td", answer));
      return row;
    }),
  );
}

// Shows the results of the analysis in an encoding. Shows nothing if there was no analysis.
function showAnalysis(label, analysis, size) {
  const isAnalysed = analysis !== undefined;
  for (const [id, field] of [["points", "codePoints"], ["units", "utf16Units"], ["lines", "lines"]]) {
    byId(`count-${id}`).textContent = isAnalysed ? analysis[field].toLocaleString("en") : "–";
  }
  byId("preview").replaceChildren();
  byId("preview").hidden = !isAnalysed;
  if (isAnalysed) showText(byId("preview"), analysis.preview, true);
  showVerdict(label, analysis, size);
  showErrors(analysis);
  showDoubleEncoding(label, analysis);
}

// Shows whether the text is well-formed.
function showVerdict(label, analysis, size) {
  const verdict = byId("verdict");
  byId("reason").hidden = false;
  verdict.hidden = analysis === undefined || size === 0;
  if (verdict.hidden) return;
  const count = analysis.errorCount;
  verdict.textContent = count ? `Not well-formed ${label}: ${formatCount(count, "error")}.` : `Well-formed ${label}.`;
  verdict.className = `verdict ${count ? "bad" : "good"}`;
  // Hides the reason for the detected encoding if it has the same words as the verdict.
  byId("reason").hidden = `${byId("reason").textContent}.`.toLowerCase() === verdict.textContent.toLowerCase();
}

// Shows the first errors, and the other errors on demand.
function showErrors(analysis) {
  const errors = analysis?.errors ?? [];
  byId("errors").hidden = errors.length === 0;
  byId("error-list").replaceChildren();
  if (!errors.length) return;
  const total = analysis.errorCount;
  const first = `The first ${errors.length} of ${total.toLocaleString("en")} errors`;
  byId("errors-title").textContent = total > errors.length ? first : formatCount(total, "error");
  let shown = 0;
  const more = byId("more-errors");
  more.onclick = () => {
    const next = errors.slice(shown, shown === 0 ? FIRST_SHOWN_ERRORS : undefined);
    byId("error-list").append(...next.map(newErrorItem));
    shown += next.length;
    more.hidden = shown === errors.length;
    more.textContent = `Show ${errors.length - shown} more`;
  };
  more.onclick();
}

// Creates a list item for an error.
function newErrorItem({ offset, line, column, kind, hex, text }) {
  const item = document.createElement("li");
  const position = newElement("div", "", "position");
  position.append(
    newElement("strong", `line ${line.toLocaleString("en")}, column ${column.toLocaleString("en")}`),
    newElement("span", kind, "kind"),
    newElement("span", `byte ${offset.toLocaleString("en")} (0x${offset.toString(16).toUpperCase()})`, "offset"),
  );
  const bytes = newElement("code", "", "hex");
  bytes.append(`${hex[0]} `, newElement("mark", hex[1]), ` ${hex[2]}`);
  const around = newElement("code", "", "text");
  showText(around, text[0]);
  around.append(newElement("mark", hex[1].split(" ").map((byte) => `\\x${byte}`).join("")));
  showText(around, text[1].replace(/\r$/, ""));
  item.append(position, around, bytes);
  return item;
}

// Shows whether the whole text or parts of it are double-encoded, and a sample. If the file is read as
// Latin-1 or windows-1252, shows whether the text or parts of it are UTF-8 instead.
function showDoubleEncoding(label, analysis) {
  const rounds = analysis?.rounds ?? "";
  const sample = analysis?.sample;
  byId("double").hidden = !sample;
  byId("undo-label").hidden = !sample;
  byId("undo").checked = rounds !== "";
  if (!sample) return;
  const times = ["once", "twice"][rounds.length - 1] ?? `${rounds.length} times`;
  const isUtf8 = label === "latin1" || label === "windows-1252";
  byId("double-title").textContent = isUtf8 ? "Text in UTF-8" : "Double encoding";
  const wholeNote = isUtf8
    ? `All of this text looks like UTF-8 that was decoded as ${label}.`
    : `All of this text was encoded in UTF-8, decoded from another encoding and encoded again, ${times}.`;
  const partsNote = isUtf8
    ? "Parts of this file look like UTF-8, and others do not."
    : "Parts of this text look double-encoded; others do not.";
  byId("double-text").textContent = rounds ? wholeNote : partsNote;
  const undoLabel = isUtf8 ? "read it as UTF-8" : "undo the double encoding";
  byId("undo-text").textContent = rounds ? undoLabel : `${undoLabel} in these parts`;
  for (const [part, text] of [["before", sample.before], ["after", rounds ? sample.all : sample.after]]) {
    byId(`double-${part}`).replaceChildren();
    showText(byId(`double-${part}`), text);
  }
}
