// The results, shown.

// The number of errors that are shown at once.
const SHOWN_ERRORS = 10;

// Returns advice about the answer of detection.
function adviceOn({ possible, mixed, confidence }) {
  if (mixed) return "Its parts are in different encodings. Split the file there, or choose one encoding for the whole file below.";
  if (!possible.length) return "This is probably not text. To examine it as text, choose an encoding below.";
  if (confidence !== "a guess") return "";
  return "utflane is unsure of this encoding. If the text is wrong in it, choose another one below.";
}

// Shows the detected encoding, in the words of the command.
function showDetection(detection, file, head, note) {
  byId("name").textContent = visible(file.name);
  byId("note").hidden = !note;
  byId("note").textContent = note;
  const [best, ...others] = detection.possible;
  byId("encoding").textContent = detection.name;
  byId("confidence").textContent = detection.confidence;
  byId("confidence").hidden = detection.mixed;
  byId("reason").textContent = detection.reason + (others.length ? `; or ${others.join(", ")}` : "");
  byId("read-as").options[0].text = best ? `${best}, as detected` : "choose an encoding";
  byId("advice").textContent = adviceOn(detection);
  byId("advice").hidden = !byId("advice").textContent;
  byId("count-bytes").textContent = file.size.toLocaleString("en");
  byId("head").textContent = hexOf(head);
  byId("begins").hidden = file.size === 0;
}

// Shows in which encodings the bytes are well-formed.
function showCandidates(candidates) {
  byId("candidates").replaceChildren(
    ...candidates.map(({ name, offset, kind }) => {
      const row = document.createElement("tr");
      const until = kind === "incomplete" ? "up to an incomplete sequence" : "no: an error";
      const answer = offset === undefined ? "yes" : `${until} at byte ${offset.toLocaleString("en")}`;
      row.append(element("td", name), element("td", answer));
      return row;
    }),
  );
}

// Shows the results of the analysis in an encoding; nothing if there was no analysis.
function showAnalysis(label, analysis, size) {
  const known = analysis !== undefined;
  for (const [id, field] of [["points", "codePoints"], ["units", "utf16Units"], ["lines", "lines"]]) {
    byId(`count-${id}`).textContent = known ? analysis[field].toLocaleString("en") : "–";
  }
  byId("preview").replaceChildren();
  byId("preview").hidden = !known;
  if (known) showText(byId("preview"), analysis.preview, true);
  showVerdict(label, analysis, size);
  showErrors(analysis);
  showDouble(label, analysis);
}

// Shows if the text is well-formed.
function showVerdict(label, analysis, size) {
  const verdict = byId("verdict");
  byId("reason").hidden = false;
  verdict.hidden = analysis === undefined || size === 0;
  if (verdict.hidden) return;
  const count = analysis.errorCount;
  verdict.textContent = count ? `Not well-formed ${label}: ${counted(count, "error")}.` : `Well-formed ${label}.`;
  verdict.className = `verdict ${count ? "bad" : "good"}`;
  // Detection may have said the same.
  byId("reason").hidden = `${byId("reason").textContent}.`.toLowerCase() === verdict.textContent.toLowerCase();
}

// Shows the first errors, and more on demand.
function showErrors(analysis) {
  const errors = analysis?.errors ?? [];
  byId("errors").hidden = errors.length === 0;
  byId("error-list").replaceChildren();
  if (!errors.length) return;
  const all = analysis.errorCount;
  const first = `The first ${errors.length} of ${all.toLocaleString("en")} errors`;
  byId("errors-title").textContent = all > errors.length ? first : counted(all, "error");
  let shown = 0;
  const more = byId("more-errors");
  more.onclick = () => {
    const next = errors.slice(shown, shown === 0 ? SHOWN_ERRORS : undefined);
    byId("error-list").append(...next.map(errorItem));
    shown += next.length;
    more.hidden = shown === errors.length;
    more.textContent = `Show ${errors.length - shown} more`;
  };
  more.onclick();
}

// Returns an error as an item of the list.
function errorItem({ offset, line, column, kind, hex, text }) {
  const item = document.createElement("li");
  const position = element("div", "", "position");
  position.append(
    element("strong", `line ${line.toLocaleString("en")}, column ${column.toLocaleString("en")}`),
    element("span", kind, "kind"),
    element("span", `byte ${offset.toLocaleString("en")} (0x${offset.toString(16).toUpperCase()})`, "offset"),
  );
  const bytes = element("code", "", "hex");
  bytes.append(`${hex[0]} `, element("mark", hex[1]), ` ${hex[2]}`);
  const around = element("code", "", "text");
  showText(around, text[0]);
  around.append(element("mark", hex[1].split(" ").map((byte) => `\\x${byte}`).join("")));
  showText(around, text[1].replace(/\r$/, ""));
  item.append(position, around, bytes);
  return item;
}

// Shows double encoding, and if it can be undone as a whole or in parts. In a file that is read in
// an encoding of single bytes, these are UTF-8.
function showDouble(label, analysis) {
  const rounds = analysis?.rounds ?? "";
  const sample = analysis?.sample;
  byId("double").hidden = !sample;
  byId("undo-label").hidden = !sample;
  byId("undo").checked = rounds !== "";
  if (!sample) return;
  const times = ["once", "twice"][rounds.length - 1] ?? `${rounds.length} times`;
  const isUtf8 = label === "latin1" || label === "windows-1252";
  byId("double-title").textContent = isUtf8 ? "Text in UTF-8" : "Double encoding";
  const whole = isUtf8
    ? `All of this text looks like UTF-8 that was decoded as ${label}.`
    : `All of this text was encoded in UTF-8, decoded from another encoding and encoded again, ${times}.`;
  const parts = isUtf8
    ? "Parts of this file look like UTF-8, and others do not."
    : "Parts of this text look double-encoded; others do not.";
  byId("double-text").textContent = rounds ? whole : parts;
  const undo = isUtf8 ? "read it as UTF-8" : "undo the double encoding";
  byId("undo-text").textContent = rounds ? undo : `${undo} in these parts`;
  for (const [part, text] of [["before", sample.before], ["after", rounds ? sample.all : sample.after]]) {
    byId(`double-${part}`).replaceChildren();
    showText(byId(`double-${part}`), text);
  }
}
