// The encodings that the page offers to read a file in.

// Those of the library, by label.
const SCHEMES = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16LE",
  "utf-16be": "UTF-16BE",
  "utf-32le": "UTF-32LE",
  "utf-32be": "UTF-32BE",
  latin1: "Latin-1",
  ascii: "ASCII",
  "cesu-8": "CESU-8",
};

// Those that the browser decodes, by the labels of the Encoding Standard.
const LEGACY = {
  "windows-1252": "windows-1252 (Western)",
  "iso-8859-15": "ISO-8859-15 (Western)",
  macintosh: "Macintosh (Western)",
  "windows-1250": "windows-1250 (Central European)",
  "iso-8859-2": "ISO-8859-2 (Central European)",
  "windows-1251": "windows-1251 (Cyrillic)",
  "koi8-r": "KOI8-R (Russian)",
  "koi8-u": "KOI8-U (Ukrainian)",
  ibm866: "IBM866 (Cyrillic)",
  "iso-8859-5": "ISO-8859-5 (Cyrillic)",
  "windows-1253": "windows-1253 (Greek)",
  "iso-8859-7": "ISO-8859-7 (Greek)",
  "windows-1254": "windows-1254 (Turkish)",
  "windows-1255": "windows-1255 (Hebrew)",
  "windows-1256": "windows-1256 (Arabic)",
  "windows-1257": "windows-1257 (Baltic)",
  "windows-1258": "windows-1258 (Vietnamese)",
  "windows-874": "windows-874 (Thai)",
  shift_jis: "Shift_JIS (Japanese)",
  "euc-jp": "EUC-JP (Japanese)",
  "iso-2022-jp": "ISO-2022-JP (Japanese)",
  gbk: "GBK (Simplified Chinese)",
  gb18030: "GB18030 (Chinese)",
  big5: "Big5 (Traditional Chinese)",
  "euc-kr": "EUC-KR (Korean)",
};

// Returns the name of a label.
function encodingName(label) {
  return SCHEMES[label] ?? LEGACY[label]?.replace(/ \(.*/, "") ?? label;
}

// Returns the label that a file is read in by the answer of detection; nothing if it is not known.
function detectedLabel(detection) {
  if (detection.kind === "legacy" || detection.kind === "binary") return undefined;
  return detection.name;
}

// Fills the list of encodings to read a file in. Its first entry is the detected one.
function fillEncodings(select) {
  const group = (title, entries) => {
    const made = document.createElement("optgroup");
    made.label = title;
    for (const [value, name] of Object.entries(entries)) made.append(new Option(name, value));
    select.append(made);
  };
  select.append(new Option("", ""));
  group("Unicode and Latin-1", SCHEMES);
  group("From before Unicode (decoded by the browser)", LEGACY);
}
