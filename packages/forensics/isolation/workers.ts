import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Kind } from '../model.ts';
import { type Child, startChild } from './child.ts';
import { codeCache } from './code-cache/code-cache.ts';
import { MODULES } from './dependencies.ts';
import { residentBytes } from './memory.ts';
import { PACKAGE } from './paths.ts';
import type { PlannedCheck } from './protocol.ts';

export interface Workers {
  /** A new process for documents of this kind. */
  start(kind: Kind | undefined): Promise<Child>;
  /** Processes for one person's documents, one after the other. */
  lane(): Lane;
  /** The lane of a person, which is kept, and closed, here: while fewer others had documents since than `keptLanes`. */
  laneOf(person: string): Lane;
  /** Kills all processes. */
  close(): void;
}

/**
 * The processes that read one person's documents. That person made or changed each of them and could attack in each, so they gain nothing
 * by affecting the next. A process is not reused for another person's documents, nor for those that come from their issuer.
 */
export interface Lane {
  take(kind: Kind | undefined): Promise<Taken>;
  /** Keeps the process for the next document of the kind. */
  giveBack(taken: Taken): void;
  /** Kills the processes that read no document; a process that reads one ends when it is given back. */
  close(): void;
}

export interface Taken {
  child: Child;
  /** Whether it has read another document. */
  isUsed: boolean;
  /** Whether it decodes pictures: the other processes may not load native code. */
  addons: boolean;
  /** When it started its document, in milliseconds. */
  since: number;
  /** How long it worked on earlier documents. */
  workedMs: number;
  /** The checks that it announced when it started. */
  planned: PlannedCheck[];
}

interface WorkerSettings {
  heapMib: number;
  secondsADocument: number;
  keptLanes: number;
  /** What a process may hold while it waits for a person's next document. */
  waitingMib: number;
}

const PROGRAM = join(PACKAGE, 'isolation/worker.ts');
const READABLE = [PACKAGE, realpathSync(PACKAGE), ...MODULES];
/** The kernel counts all of a process's CPU time, and the host that of a document: two documents at their limit, and the start. */
const KERNEL_FACTOR = 2;
const START_SECONDS = 10;
/** The next document may have to wait for its turn. */
const IDLE_MS = 30_000;
/** Documents that are read one after the other follow within this time. */
const SHORT_MS = 1_000;
const MIB = 1024 * 1024;

/** The engine was closed before the analysis finished. The documents are not at fault. */
export class EngineClosed extends Error {
  constructor() {
    super('The analysis was ended because the service stops.');
  }
}

export function createWorkers({ heapMib, secondsADocument, keptLanes, waitingMib }: WorkerSettings): Workers {
  const running = new Set<Child>();
  const kept = new Map<string, Lane>();
  const cpuSeconds = Math.ceil(KERNEL_FACTOR * secondsADocument + START_SECONDS);
  let isClosed = false;
  const start = async (kind: Kind | undefined): Promise<Child> => {
    const program = { file: PROGRAM, arguments: [], readable: READABLE, addons: isPicture(kind), heapMib, cpuSeconds };
    const cache = await codeCache(program);
    if (isClosed) throw new EngineClosed();
    const child = await startChild({ ...program, codeCache: cache });
    if (isClosed) {
      child.kill();
      throw new EngineClosed();
    }
    running.add(child);
    child.ended.then(() => running.delete(child));
    return child;
  };
  const lane = () => createLane(start, { maxMs: 1000 * secondsADocument, waitingMib });
  return {
    start,
    lane,
    laneOf(person) {
      const own = kept.get(person) ?? lane();
      // In the order of their last documents: the lane that has waited longest is closed first.
      kept.delete(person);
      kept.set(person, own);
      for (const [other, oldest] of kept) {
        if (kept.size <= keptLanes) break;
        kept.delete(other);
        oldest.close();
      }
      return own;
    },
    close() {
      isClosed = true;
      for (const child of running) child.kill();
    },
  };
}

interface LaneLimits {
  /** A process that has worked longer than this might meet the kernel's limit in its next document. */
  maxMs: number;
  waitingMib: number;
}

function createLane(start: Workers['start'], { maxMs, waitingMib }: LaneLimits): Lane {
  const idle = new Map<boolean, Taken & { timer: NodeJS.Timeout }>();
  let isClosed = false;
  return {
    async take(kind) {
      const addons = isPicture(kind);
      const waiting = idle.get(addons);
      idle.delete(addons);
      if (!waiting)
        return { child: await start(kind), isUsed: false, addons, since: performance.now(), workedMs: 0, planned: [] };
      clearTimeout(waiting.timer);
      waiting.child.resume();
      return { ...waiting, isUsed: true, since: performance.now() };
    },
    giveBack(taken) {
      const { addons, child } = taken;
      const workedMs = taken.workedMs + performance.now() - taken.since;
      if (isClosed || workedMs > maxMs || idle.has(addons)) return child.kill();
      child.pause();
      const goOnWaiting = async () => {
        const bytes = await residentBytes(child.pid);
        if (idle.get(addons) !== waiting) return;
        if (bytes > waitingMib * MIB) child.kill();
        else waiting.timer = setTimeout(child.kill, IDLE_MS);
      };
      const waiting = { ...taken, workedMs, timer: setTimeout(goOnWaiting, SHORT_MS) };
      idle.set(addons, waiting);
      child.ended.then(() => {
        clearTimeout(waiting.timer);
        if (idle.get(addons) === waiting) idle.delete(addons);
      });
    },
    close() {
      isClosed = true;
      for (const { child } of idle.values()) child.kill();
      idle.clear();
    },
  };
}

function isPicture(kind: Kind | undefined): boolean {
  return kind === 'jpeg' || kind === 'png';
}
