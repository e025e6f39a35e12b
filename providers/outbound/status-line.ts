/** Enough for interim answers with headers before the status line. */
const MAX_BYTES = 16 * 1024;

/** A status line, after any number of interim answers (RFC 9110, section 15.2). A lone LF may end a line (RFC 9112, section 2.2). */
const FINAL_STATUS = /^(?:HTTP\/1\.[01] 1\d\d[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)*HTTP\/1\.[01] ([2-9]\d\d)(?=[ \r\n])/;

/** Reads the final status code from the first bytes of a response, whatever follows them. */
export class StatusLine {
  #parts: Buffer[] = [];
  #sizeBytes = 0;

  add(chunk: Buffer): void {
    const room = MAX_BYTES - this.#sizeBytes;
    if (room <= 0) return;
    // A copy, because the chunk may keep a large buffer alive.
    const part = Buffer.from(chunk.subarray(0, room));
    this.#parts.push(part);
    this.#sizeBytes += part.length;
  }

  /** Undefined before the status line is complete. */
  get code(): number | undefined {
    const [, code] = FINAL_STATUS.exec(Buffer.concat(this.#parts).toString('latin1')) ?? [];
    return code === undefined ? undefined : Number(code);
  }
}
