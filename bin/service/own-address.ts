import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../core/settings/config.ts';
import { writeAtomically } from '../../providers/documents/disk.ts';

type Place = Pick<Config, 'dataDir' | 'publicUrl' | 'host' | 'port'>;

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'service.url');

/** The loopback address for each unspecified one. */
const LOOPBACK = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/** The address of a process on this machine, as browsers open it: nothing can be reached at the unspecified address. */
export function listeningUrl(host: string, port: number): string {
  const named = hostInUrl(host);
  return `http://${LOOPBACK.get(named) ?? named}:${port}`;
}

/** Whether links lead to this machine alone, although others can reach it: every address, and no public one. */
export function needsPublicUrl({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return publicUrl === undefined && LOOPBACK.has(hostInUrl(host));
}

/** In the one spelling of URLs: `0` and `0:0::0` are the unspecified address, too. */
function hostInUrl(host: string): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return URL.parse(`http://${bracketed}`)?.hostname ?? bracketed;
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
