import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Kind } from '../model.ts';
import { type Child, startChild } from './child.ts';
import { codeCache } from './code-cache/code-cache.ts';
import { MODULES } from './dependencies.ts';
import { PACKAGE } from './paths.ts';

export interface Spares {
  /** A process for one document of this kind. */
  take(kind: Kind | undefined): Promise<Child>;
  /** Kills all processes, idle and busy. */
  close(): void;
}

interface SpareSettings {
  heapMib: number;
  cpuSeconds: number;
  /** Whether starting a process ahead of time pays. */
  isAnotherExpected: () => boolean;
}

/** A spare that gets no document for this long is discarded. */
const IDLE_MS = 5_000;

const PROGRAM = join(PACKAGE, 'isolation/worker.ts');
const READABLE = [PACKAGE, realpathSync(PACKAGE), ...MODULES];

/**
 * Starts a process for each document, if possible ahead of time. A process is never reused, so that no document can affect the
 * analysis of another.
 */
export function createSpares({ heapMib, cpuSeconds, isAnotherExpected }: SpareSettings): Spares {
  let spare: Promise<Child> | undefined;
  let idle: NodeJS.Timeout | undefined;
  const taken = new Set<Child>();
  let isClosed = false;
  const start = async (kind: Kind | undefined, as: 'needed' | 'spare'): Promise<Child> => {
    const addons = kind === 'jpeg' || kind === 'png';
    const program = { file: PROGRAM, arguments: [as], readable: READABLE, addons, heapMib, cpuSeconds };
    return startChild({ ...program, codeCache: await codeCache(program) });
  };
  const discard = () => {
    clearTimeout(idle);
    spare?.then(
      (child) => child.kill(),
      () => undefined,
    );
    spare = undefined;
  };
  const prepare = () => {
    clearTimeout(idle);
    idle = setTimeout(discard, IDLE_MS);
    if (spare) return;
    const started = start('pdf', 'spare');
    spare = started;
    const forget = () => {
      if (spare === started) spare = undefined;
    };
    started.then((child) => child.ended).then(forget, forget);
  };
  return {
    async take(kind) {
      if (isClosed) throw new Error('The forensic engine is closed.');
      const waiting = kind === 'pdf' ? spare : undefined;
      if (waiting) spare = undefined;
      const child = await (waiting ?? start(kind, 'needed'));
      taken.add(child);
      child.ended.then(() => taken.delete(child));
      if (isAnotherExpected()) prepare();
      return child;
    },
    close() {
      isClosed = true;
      discard();
      for (const child of taken) child.kill();
    },
  };
}
