// Bytes from text in hex, in the notations that tools print: `FF FE`, `fffe`, `0xFF, 0xFE`, `\xFF`.

// Returns bytes in hex.
function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");
}

// Returns the bytes. Throws an error that says where the text is not hex.
function bytesOfHex(text) {
  // Prefixes and separators; a prefix also separates.
  const digits = text.replace(/\\x|0x/gi, " ");
  const bytes = [];
  for (const [word] of digits.matchAll(/[^\s,;:]+/g)) {
    const wrong = word.search(/[^0-9a-f]/i);
    if (wrong >= 0) {
      const before = counted(bytes.length + Math.floor(wrong / 2), "byte");
      throw new Error(`Not hex: “${visible(String.fromCodePoint(word.codePointAt(wrong)))}” after ${before}.`);
    }
    if (word.length % 2 && word.length > 1) {
      const before = counted(bytes.length, "byte");
      throw new Error(`An odd number of hex digits: “${word.slice(0, 20)}” after ${before}.`);
    }
    if (word.length === 1) {
      bytes.push(parseInt(word, 16));
      continue;
    }
    for (let at = 0; at < word.length; at += 2) bytes.push(parseInt(word.slice(at, at + 2), 16));
  }
  return new Uint8Array(bytes);
}
