// A file in an encoding from before Unicode, decoded by the browser to UTF-8.

class Decoder {
  constructor(label) {
    this.decoder = new TextDecoder(label);
    this.encoder = new TextEncoder();
    // The sequences that the encoding does not have.
    this.replaced = 0;
  }

  // Returns the UTF-8 of the next chunk.
  push(chunk) {
    return this.encode(this.decoder.decode(chunk, { stream: true }));
  }

  // Returns the UTF-8 of the end of the file.
  finish() {
    return this.encode(this.decoder.decode());
  }

  encode(text) {
    for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) this.replaced += 1;
    return this.encoder.encode(text);
  }
}
