import { readFile } from 'node:fs/promises';

const INTERVAL_MS = 100;
/** Linux reports CPU time in these units to every program, whatever the kernel's own tick rate is. */
const TICKS_A_SECOND = 100;
/** A blocked process uses no CPU time, so a much later limit on elapsed time ends it. */
const CLOCK_FACTOR = 20;
const MIN_CLOCK_SECONDS = 60;

export interface CpuWatch {
  /** Counts from now on. */
  restart(): void;
  stop(): void;
}

/**
 * Polls the CPU time of a process and calls back once when it exceeds the limit. A busy machine therefore slows an analysis down without
 * ending it. Systems other than Linux do not report CPU time, so elapsed time counts there.
 */
export function watchCpu(pid: number, limitSeconds: number, onTooMuch: () => void): CpuWatch {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let begun: { used: number; clock: number } | undefined;
  const poll = async () => {
    const used = await usedSeconds(pid);
    if (isStopped) return;
    const clock = performance.now() / 1000;
    begun ??= { used: used ?? 0, clock };
    const passed = clock - begun.clock;
    const isOver = used === undefined ? passed > limitSeconds : used - begun.used > limitSeconds;
    if (isOver || passed > Math.max(MIN_CLOCK_SECONDS, CLOCK_FACTOR * limitSeconds)) onTooMuch();
    else timer = setTimeout(poll, Math.min(INTERVAL_MS, 1000 * limitSeconds));
  };
  timer = setTimeout(poll, 0);
  return {
    restart() {
      begun = undefined;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** In user and kernel mode, of all threads; undefined if the process is gone or the system does not report it. */
async function usedSeconds(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The program's name, in brackets, may contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks / TICKS_A_SECOND : undefined;
}
