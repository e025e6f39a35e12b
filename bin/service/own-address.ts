import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../core/settings/config.ts';
import { writeAtomically } from '../../providers/documents/disk.ts';

type Place = Pick<Config, 'dataDir' | 'publicUrl' | 'host' | 'port'>;

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'service.url');

/** The address under which a process listens, with a host that a URL can hold. */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Tells other processes on the same data folder the address of this one: `PUBLIC_URL` and `PORT` may be other ones in their
 * environment, or 0. @returns what takes it back
 */
export async function noteAddress(config: Pick<Config, 'dataDir'>, url: string): Promise<() => Promise<void>> {
  // Best effort: without it the others fall back to their settings.
  await writeAtomically(fileOf(config), Buffer.from(url)).catch(() => {});
  return async () => {
    // Another process may have noted its own since.
    if ((await notedAddress(config)) === url) await rm(fileOf(config), { force: true });
  };
}

/** The address of the running service: as configured here, as noted, or as it would listen with these settings. */
export async function serviceAddress(config: Place): Promise<string> {
  return config.publicUrl ?? (await notedAddress(config)) ?? listeningUrl(config.host, config.port);
}

async function notedAddress(config: Pick<Config, 'dataDir'>): Promise<string | undefined> {
  const text = await readFile(fileOf(config), 'utf8').catch(() => '');
  return URL.canParse(text) ? text : undefined;
}
