import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import sonic from 'sonic-boom';

const STANDARD_OUTPUT = 1;
/** Buffers lines, because writing one costs as much as composing it. In characters and milliseconds. */
const TOGETHER = 16_000;
const FLUSH_MS = 100;
/** How much may wait for the reader or the disk. */
const MAX_WAITING = 1024 * 1024;

export interface LogOutput {
  write(line: string): void;
  /**
   * @param done called once everything so far is written, or cannot be
   */
  flush(done: () => void): void;
}

/**
 * Standard output. It never waits: when the disk is full or the reader has stopped, lines without room are dropped, and their number is
 * logged once there is room again.
 */
export function openLogOutput(onLinesDropped: (lines: number) => void): LogOutput {
  let dropped = 0;
  const drop = () => {
    dropped++;
  };
  const recover = () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onLinesDropped(lines);
  };
  return isPipe() ? openPipe(drop, recover) : openFile(drop, recover);
}

function isPipe(): boolean {
  if (isatty(STANDARD_OUTPUT)) return false;
  const found = fstatSync(STANDARD_OUTPUT);
  return found.isFIFO() || found.isSocket();
}

/** Written by another thread. What the disk refuses is retried with the next lines. */
function openFile(drop: () => void, recover: () => void): LogOutput {
  const file = new sonic.SonicBoom({
    fd: STANDARD_OUTPUT,
    minLength: TOGETHER,
    periodicFlush: FLUSH_MS,
    maxLength: MAX_WAITING,
    sync: false,
  });
  file.on('error', () => {});
  file.on('drop', drop);
  file.on('drain', recover);
  process.once('beforeExit', () => file.flush());
  return { write: (line) => file.write(line), flush: (done) => file.flush(() => done()) };
}

/** A pipe blocks a thread that writes to it while its reader has stopped, and the end of the process too; `process.stdout` does not. */
function openPipe(drop: () => void, recover: () => void): LogOutput {
  const pipe = process.stdout;
  let lines = '';
  const flush = (done?: () => void) => {
    const together = lines;
    lines = '';
    if (pipe.writable && (together || done)) pipe.write(together, () => done?.());
    else done?.();
  };
  // Its reader has gone.
  pipe.on('error', () => {});
  pipe.on('drain', recover);
  setInterval(flush, FLUSH_MS).unref();
  process.on('exit', () => flush());
  return {
    write: (line) => {
      if (!pipe.writable || pipe.writableLength + lines.length > MAX_WAITING) return drop();
      lines += line;
      if (lines.length > TOGETHER) flush();
    },
    flush,
  };
}
