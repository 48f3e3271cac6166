// Fills the list "Read it as". The WebAssembly module returns the names of the encodings; this script
// groups them by the languages that use them.

const ENCODINGS_BY_GROUP = {
  "Unicode and Latin-1":
    "utf-8 utf-16 utf-16le utf-16be utf-32 utf-32le utf-32be latin1 ascii cesu-8 mutf-8 wtf-8 wtf-16le wtf-16be",
  "Western European": "windows-1252 iso-8859-15 macintosh cp850 cp437 iso-8859-3 iso-8859-14 x-mac-icelandic",
  "Central European": "windows-1250 iso-8859-2 cp852 x-mac-ce iso-8859-16",
  Cyrillic: "windows-1251 koi8-r koi8-u ibm866 iso-8859-5 x-mac-cyrillic cp855",
  Greek: "windows-1253 iso-8859-7 cp737 cp869 x-mac-greek",
  Turkish: "windows-1254 iso-8859-9 cp857 x-mac-turkish",
  "Baltic and Nordic": "windows-1257 iso-8859-13 cp775 iso-8859-4 iso-8859-10",
  "Hebrew and Arabic": "windows-1255 iso-8859-8 iso-8859-8-i cp862 windows-1256 iso-8859-6 cp864 cp720",
  "Thai and Vietnamese": "windows-874 tis-620 windows-1258",
  Japanese: "shift_jis euc-jp iso-2022-jp",
  Chinese: "gbk gb18030 big5",
  Korean: "euc-kr",
  "EBCDIC (mainframes)":
    "cp037 cp500 cp1047 cp1140 cp273 cp1141 cp277 cp278 cp280 cp284 cp285 cp297 cp424 cp871 cp875 cp1026",
};

// Adds the names to the list. The first entry stands for the detected encoding.
function fillEncodings(select, names) {
  select.append(new Option("", ""));
  const groups = Object.entries(ENCODINGS_BY_GROUP).map(([title, members]) => [title, members.split(" ")]);
  const grouped = new Set(groups.flatMap(([, members]) => members));
  groups.push(["Others", names.filter((name) => !grouped.has(name))]);
  for (const [title, members] of groups) {
    const group = document.createElement("optgroup");
    group.label = title;
    const options = members.filter((name) => names.includes(name)).map((name) => new Option(name, name));
    group.append(...options);
    if (group.children.length) select.append(group);
  }
}
