// Formats bytes in hex, and parses the notations that tools print: `FF FE`, `fffe`, `0xFF, 0xFE`,
// `\xFF`.

// Returns bytes as text in hex.
function formatHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");
}

// Returns the bytes that a text in hex names. Throws an error that says where the text is not hex.
function parseHex(text) {
  // A prefix (`0x` or `\x`) also separates bytes.
  const digits = text.replace(/\\x|0x/gi, " ");
  const bytes = [];
  for (const [word] of digits.matchAll(/[^\s,;:]+/g)) {
    const badIndex = word.search(/[^0-9a-f]/i);
    if (badIndex >= 0) {
      const before = formatCount(bytes.length + Math.floor(badIndex / 2), "byte");
      throw new Error(`Not hex: “${escapeInvisible(String.fromCodePoint(word.codePointAt(badIndex)))}” after ${before}.`);
    }
    if (word.length % 2 && word.length > 1) {
      const before = formatCount(bytes.length, "byte");
      throw new Error(`An odd number of hex digits: “${word.slice(0, 20)}” after ${before}.`);
    }
    if (word.length === 1) {
      bytes.push(parseInt(word, 16));
      continue;
    }
    for (let i = 0; i < word.length; i += 2) bytes.push(parseInt(word.slice(i, i + 2), 16));
  }
  return new Uint8Array(bytes);
}
