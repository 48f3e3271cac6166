// Elements of the page.

// Returns the element with an id.
function byId(id) {
  return document.getElementById(id);
}

// Returns a new element with a text and a class.
function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

// Returns a number with its noun: 1 line, 2,000 lines.
function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

// Returns a number of bytes in the unit that fits.
function size(bytes) {
  if (bytes < 1e3) return counted(bytes, "byte");
  const [unit, name] = [[1e3, "kB"], [1e6, "MB"], [1e9, "GB"]].findLast(([unit]) => bytes >= unit);
  return `${(bytes / unit).toFixed(1)} ${name}`;
}
