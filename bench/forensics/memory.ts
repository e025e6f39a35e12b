import { readdirSync, readFileSync } from 'node:fs';

const POLL_MS = 20;
const KIB_A_MIB = 1024;

export function residentMib(): number {
  return process.memoryUsage.rss() / 1024 ** 2;
}

/** Polls the peak memory of all descendant processes in /proc. */
export function watchChildren(): { end(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of descendants(process.pid)) peak = Math.max(peak, peakMib(pid));
  }, POLL_MS);
  return {
    end() {
      clearInterval(timer);
      return peak;
    },
  };
}

function descendants(pid: number): number[] {
  const children = tasks(pid).flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean));
  return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
}

function tasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function peakMib(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / KIB_A_MIB;
}

/** Empty when the process is gone or the system has no /proc. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
