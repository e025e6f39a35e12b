import { build, type Parts } from '../../bin/service/build.ts';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';

/** Three keys, as an operator has them. */
export const OLD = keyOf(1);
export const NEW = keyOf(2);
export const STRANGE = keyOf(3);

function keyOf(byte: number): string {
  return Buffer.alloc(32, byte).toString('base64');
}

/** For a service with the old key that counts as gone once others start with the new one: it no longer records its key. */
export const GONE_SOON = { noteKeyEveryMs: 86_400_000 };

/** The settings of a process that seals with the first key and opens with all. */
export function withKeys(current: string, ...former: string[]): Record<string, string> {
  return { ENCRYPTION_KEY: current, ...(former.length > 0 ? { FORMER_ENCRYPTION_KEYS: former.join(',') } : {}) };
}

/** A service's parts beside others with the same settings but different keys. */
export function buildBeside(env: Record<string, string>, current: string, ...former: string[]): Promise<Parts> {
  return build(readConfig({ ...env, ...withKeys(current, ...former) }), {
    log: createLog('silent'),
    isCommand: true,
  });
}
