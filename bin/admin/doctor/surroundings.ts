import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CONTRACT_ADVICE, readContract, UnusableContract } from '../../../core/contract.ts';
import { codeInBrackets } from '../../../core/errors.ts';
import type { Config } from '../../../core/settings/config.ts';
import { oneLine, sentence } from '../../../core/text.ts';
import { type Finding, type Found, ok, problem, warning } from '../../../jobs/upkeep/finding.ts';
import { fetchWhole } from '../../../providers/outbound/bounded-fetch.ts';
import { listeningUrl, serviceAddress } from '../../service/own-address.ts';
import { isOpenToAll, openToOthers } from '../../service/private-files.ts';
import { settingsFile } from '../../service/settings-file.ts';
import { examine } from './finding.ts';

const MIB = 2 ** 20;
const LITTLE_MIB = 1024;
const TOO_LITTLE_MIB = 100;
const ANSWER_MS = 5_000;

/** Checks who may read the files, the disk, the contract and the public address of the service. */
export async function examineSurroundings(
  config: Pick<Config, 'dataDir' | 'database' | 'publicUrl' | 'host' | 'port' | 'operators'>,
): Promise<Finding[]> {
  const url = await serviceAddress(config);
  return [
    await examine('files', 'Run doctor as the user of the service.', async () => privateFiles(config)),
    await examine('disk', 'Make sure that DATA_DIR is on a working disk.', () => diskSpace(config)),
    { check: 'contract', ...contract() },
    ...(config.operators ? [{ check: 'process', ...(await probed(config.operators)) }] : []),
    await examine('address', 'Start the service, or correct PUBLIC_URL and what leads there.', () => address(url)),
  ];
}

const MAX_PATHS = 3;

function privateFiles(config: Pick<Config, 'dataDir' | 'database'>): Found {
  const settings = settingsFile();
  const ofSettings = settings !== undefined && isOpenToAll(settings) ? [settings] : [];
  const open = [...new Set([...ofSettings, ...openToOthers(config)])];
  if (open.length === 0) return ok('Only their owner can access the files of the service.');
  const more = open.length > MAX_PATHS ? `, and ${open.length - MAX_PATHS} more` : '';
  return problem(
    `Other accounts of this machine can access ${open.slice(0, MAX_PATHS).join(', ')}${more}.`,
    'Run chmod -R go= <file or folder>. A start of the service does so for the files it owns, except the settings.',
  );
}

async function diskSpace({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): Promise<Found> {
  const folders = [dataDir, ...(database.dialect === 'sqlite' ? [dirname(database.file)] : [])];
  const free = await Promise.all(folders.map(freeMib));
  const least = Math.min(...free);
  const found = `${least >= 1024 ? `${(least / 1024).toFixed(1)} GiB` : `${Math.floor(least)} MiB`} are free.`;
  const advice = 'Make room, or move DATA_DIR: without space nothing is stored and nothing is sent.';
  if (least < TOO_LITTLE_MIB) return problem(found, advice);
  return least < LITTLE_MIB ? warning(found, advice) : ok(found);
}

/** The free space of the folder, or of its closest existing parent. */
async function freeMib(folder: string): Promise<number> {
  if (!existsSync(folder)) return freeMib(dirname(folder));
  const { bavail, bsize } = await statfs(folder);
  return (bavail * bsize) / MIB;
}

function contract(): Found {
  try {
    readContract();
    return ok('The document that is served is the one that requests are checked against.');
  } catch (error) {
    if (error instanceof UnusableContract) return problem(error.fault, CONTRACT_ADVICE);
    throw error;
  }
}

/** Asks the process with our OPS_PORT whether it is alive and ready. */
async function probed({ host, port }: NonNullable<Config['operators']>): Promise<Found> {
  const url = listeningUrl(host, port);
  try {
    await fetchWhole(`${url}/livez`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const answer = await fetchWhole(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (answer.ok) return ok(`The process is ready, says ${url}/readyz.`);
    return problem(
      sentence(`The process is not ready: ${oneLine(await answer.text())}`),
      'See docs/operating/monitor.md.',
    );
  } catch (error) {
    return isLate(error) ? frozen(url) : problem(`Nothing answers at ${url}${because(error)}.`, 'Start the service.');
  }
}

function frozen(url: string): Found {
  return problem(
    `The process behind ${url} does not answer within ${ANSWER_MS / 1000} s: it is frozen.`,
    'Restart it, and read the end of its log.',
  );
}

function isLate(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** A refused connection is only a warning: the address may be unreachable only from this machine. */
async function address(url: string): Promise<Found> {
  const advice = 'Is the service running? If it is, check PUBLIC_URL and the proxy in front of it.';
  try {
    const answer = await fetchWhole(`${url}/openapi.json`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const isContract = answer.ok && (await answer.text()).includes('"openapi"');
    return isContract
      ? ok(`The service answers at ${url}.`)
      : warning(`Something other than the service answers at ${url} (${answer.status}).`, advice);
  } catch (error) {
    return isLate(error) ? frozen(url) : warning(`Nothing answers at ${url}${because(error)}.`, advice);
  }
}

function because(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return codeInBrackets(cause);
}
