// Prepares text of a file, or the name of a file, for display. Escapes invisible characters and
// characters that would change the order of other characters.

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

// Returns the escape of a character, such as `\u{202E}`.
function escapeCharacter(character) {
  return `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`;
}

// Returns the text with invisible characters escaped.
function escapeInvisible(text) {
  return Array.from(text, (c) => (INVISIBLE.test(c) ? escapeCharacter(c) : c)).join("");
}

// Appends the text to a node. Each invisible character except the tab becomes an escape in a separate
// element. If `keepLines` is true, line feeds are not escaped, and CR LF becomes a line feed.
function showText(node, text, keepLines = false) {
  let visibleText = "";
  const flush = () => {
    node.append(visibleText);
    visibleText = "";
  };
  for (const c of keepLines ? text.replaceAll("\r\n", "\n") : text) {
    if (!INVISIBLE.test(c) || c === "\t" || (keepLines && c === "\n")) {
      visibleText += c;
    } else {
      flush();
      node.append(newElement("span", escapeCharacter(c), "escape"));
    }
  }
  flush();
}
