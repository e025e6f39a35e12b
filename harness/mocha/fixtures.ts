import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fixture's optional clean-up, called after the suite or the test. */
interface Stoppable {
  stop?(): unknown;
}

/**
 * Starts something before the tests of the enclosing suite and stops it after them. The returned handle stands for it in between,
 * and throws outside. Fixtures start and stop in the order of their calls, like all hooks of mocha: register an `after` that
 * needs a fixture before the fixture.
 */
export function suiteFixture<T extends object & Stoppable>(start: () => T | Promise<T>): T {
  return fixture(start, before, after);
}

/** The same before and after each test. */
export function testFixture<T extends object & Stoppable>(start: () => T | Promise<T>): T {
  return fixture(start, beforeEach, afterEach);
}

function fixture<T extends object & Stoppable>(
  start: () => T | Promise<T>,
  atBegin: Mocha.HookFunction,
  atEnd: Mocha.HookFunction,
): T {
  let current: T | undefined;
  atBegin(async () => {
    current = await start();
  });
  atEnd(async () => {
    const ended = current;
    current = undefined;
    await ended?.stop?.();
  });
  return handleOf(() => {
    if (!current) throw new Error('A fixture was used outside the tests and hooks of its suite.');
    return current;
  });
}

/** Methods are bound to their object, because a proxy lacks its private fields. */
function handleOf<T extends object>(current: () => T): T {
  return new Proxy<T>(Object.create(null), {
    get(_, name) {
      const target = current();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor(_, name) {
      const described = Reflect.getOwnPropertyDescriptor(current(), name);
      return described && { ...described, configurable: true };
    },
  });
}

interface TemporaryFolder {
  path: string;
  stop(): Promise<void>;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'screening-test-'));
  return { path, stop: () => rm(path, { recursive: true, force: true }) };
}
