// Text of a file or a name, as the page shows it: characters that would be invisible, or change
// the order of others, are escaped. All text is set by `textContent`.

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

// Returns the character as an escape.
function escaped(character) {
  return `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`;
}

// Returns the text with escapes.
function visible(text) {
  return Array.from(text, (c) => (INVISIBLE.test(c) ? escaped(c) : c)).join("");
}

// Adds the text to a node, each escape as a separate element. Line feeds stay if `lines`.
function showText(node, text, lines = false) {
  let plain = "";
  const flush = () => {
    node.append(plain);
    plain = "";
  };
  for (const c of lines ? text.replaceAll("\r\n", "\n") : text) {
    if (!INVISIBLE.test(c) || c === "\t" || (lines && c === "\n")) {
      plain += c;
    } else {
      flush();
      node.append(element("span", escaped(c), "escape"));
    }
  }
  flush();
}
