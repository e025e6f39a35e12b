import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const PROC_INTERVAL_MS = 50;
/** Each poll starts a `ps`. */
const PS_INTERVAL_MS = 500;
const KIB = 1024;
const PAGE_BYTES = 4096;

/**
 * Polls the resident memory of a process and calls back once when it exceeds the limit. V8's own limit covers only the heap.
 * @returns a function that stops the watch
 */
export function watchMemory(pid: number, limitMib: number, onTooMuch: () => void): () => void {
  const intervalMs = process.platform === 'linux' ? PROC_INTERVAL_MS : PS_INTERVAL_MS;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const poll = async () => {
    const bytes = await residentBytes(pid);
    if (isStopped) return;
    if (bytes > limitMib * KIB * KIB) onTooMuch();
    else schedule();
  };
  const schedule = () => {
    timer = setTimeout(poll, intervalMs).unref();
  };
  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** The resident memory of a process; 0 if it is gone. */
export function residentBytes(pid: number): Promise<number> {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** Some ARM kernels use larger pages than assumed here, which loosens the limit. */
async function fromProc(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) * PAGE_BYTES;
}

function fromPs(pid: number): Promise<number> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, text) => resolve(error ? 0 : Number(text.trim()) * KIB));
  });
}
