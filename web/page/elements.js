// Finds and creates elements of the page, and formats numbers.

// Returns the element with the given id.
function byId(id) {
  return document.getElementById(id);
}

// Creates an element with the given tag name, text and class.
function newElement(tagName, text = "", className = "") {
  const created = document.createElement(tagName);
  created.textContent = text;
  if (className) created.className = className;
  return created;
}

// Returns a number and a noun, in the plural if needed: "1 line", "2,000 lines".
function formatCount(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

// Returns a number of bytes with the largest unit that fits: "12 bytes", "1.5 MB".
function formatSize(bytes) {
  if (bytes < 1e3) return formatCount(bytes, "byte");
  const [unit, symbol] = [[1e3, "kB"], [1e6, "MB"], [1e9, "GB"]].findLast(([unit]) => bytes >= unit);
  return `${(bytes / unit).toFixed(1)} ${symbol}`;
}
