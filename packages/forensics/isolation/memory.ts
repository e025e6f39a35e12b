import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const LOOK_MS = 50;
/** Where each look is a program of its own. */
const LOOK_SELDOM_MS = 500;
const KIB = 1024;
const PAGE_BYTES = 4096;

/**
 * Calls back, once, when a process holds more memory than it may: all of it, not only JavaScript's heap, which is all that
 * Node limits.
 * @returns what ends the watch
 */
export function watchMemory(pid: number, limitMib: number, onTooMuch: () => void): () => void {
  const [look, everyMs] = process.platform === 'linux' ? [fromProc, LOOK_MS] : [fromPs, LOOK_SELDOM_MS];
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const next = async () => {
    const bytes = await look(pid);
    if (isOver) return;
    if (bytes > limitMib * KIB * KIB) onTooMuch();
    else plan();
  };
  const plan = () => {
    timer = setTimeout(next, everyMs).unref();
  };
  plan();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** 0 when it is gone. The kernel counts in pages; those of some ARM machines are larger, which makes the limit a wider one. */
async function fromProc(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) * PAGE_BYTES;
}

function fromPs(pid: number): Promise<number> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, text) => resolve(error ? 0 : Number(text.trim()) * KIB));
  });
}
