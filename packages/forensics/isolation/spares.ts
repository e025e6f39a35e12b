import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Kind } from '../model.ts';
import { type Child, startChild } from './child.ts';
import { codeCache } from './code-cache.ts';
import { MODULES, PACKAGE } from './places.ts';

export interface Spares {
  /** A process for one document of a kind. */
  take(kind: Kind | undefined): Promise<Child>;
  /** Ends those that wait and those that were taken. */
  close(): void;
}

interface SpareSettings {
  heapMib: number;
  cpuSeconds: number;
  /** Whether it is worth while to start a process beforehand. */
  isAnotherExpected: () => boolean;
}

/** While documents come one after the other, the next process is started beforehand; it is let go when none comes. */
const IDLE_MS = 5_000;

const PROGRAM = join(PACKAGE, 'isolation/analyst.ts');
/** Where a folder is a link, as that of an installation may be, both it and what it leads to. */
const READABLE = [PACKAGE, MODULES].flatMap((path) => [path, realpathSync(path)]);

/** Each process analyses one document and ends: what one does to it, no other meets. */
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
  const letGo = () => {
    clearTimeout(idle);
    spare?.then(
      (child) => child.kill(),
      () => undefined,
    );
    spare = undefined;
  };
  const prepare = () => {
    clearTimeout(idle);
    idle = setTimeout(letGo, IDLE_MS);
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
      letGo();
      for (const child of taken) child.kill();
    },
  };
}
