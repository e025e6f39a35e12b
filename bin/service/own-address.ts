import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../core/settings/config.ts';
import { writeAtomically } from '../../providers/documents/disk.ts';

type Place = Pick<Config, 'dataDir' | 'publicUrl' | 'host' | 'port'>;

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'service.url');

/** The address at which a process listens, with a host that a URL can contain. */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Undefined when there is no console, or the port is only known once it listens. */
export function consoleUrlOf({ operators }: Pick<Config, 'operators'>): string | undefined {
  if (!operators?.console) return undefined;
  const { host, port, console } = operators;
  return console.url ?? (port === 0 ? undefined : listeningUrl(host, port));
}

/**
 * Publishes this process's address to other processes on the same data folder: their environment may have a different `PUBLIC_URL` or
 * `PORT`, or PORT=0.
 * @returns a function that removes it
 */
export async function noteAddress(config: Pick<Config, 'dataDir'>, url: string): Promise<() => Promise<void>> {
  // Best effort: without the file, commands fall back to their settings.
  await writeAtomically(fileOf(config), Buffer.from(url)).catch(() => {});
  return async () => {
    // Another process may have recorded its address since.
    if ((await notedAddress(config)) === url) await rm(fileOf(config), { force: true });
  };
}

/** The address of the running service: the configured one, the recorded one, or the one that these settings imply. */
export async function serviceAddress(config: Place): Promise<string> {
  return config.publicUrl ?? (await notedAddress(config)) ?? listeningUrl(config.host, config.port);
}

async function notedAddress(config: Pick<Config, 'dataDir'>): Promise<string | undefined> {
  const text = await readFile(fileOf(config), 'utf8').catch(() => '');
  return URL.canParse(text) ? text : undefined;
}
