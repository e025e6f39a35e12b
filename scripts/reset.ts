/** `npm run reset`: deletes the data of a sandbox that has stopped, so that the next start makes the demo data again, with the same ids. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig } from '../core/settings/config.ts';
import { commandLine } from '../harness/process/command-line.ts';

commandLine('npm run reset', {});
const config = readConfig(process.env);
const folder = resolve(config.dataDir);
const credentials = join(folder, 'demo.env');

if (config.mode !== 'sandbox') refuse('This service is live: its data is not reset.');
if (config.database.dialect === 'postgres')
  refuse('The data is in Postgres: empty that database, and delete the data folder.');
if (!existsSync(credentials))
  refuse(`${folder} is not the data of a sandbox: it has no demo.env. Nothing was deleted.`);
const { BASE_URL = '' } = parseEnv(readFileSync(credentials, 'utf8'));
if (await answers(BASE_URL)) refuse(`The service at ${BASE_URL} is running: stop it first. Nothing was deleted.`);
rmSync(folder, { recursive: true });
console.log(
  `Deleted ${folder}. The next start makes the demo data again: the ids stay the same, the credentials are new.`,
);

function refuse(reason: string): never {
  console.error(reason);
  process.exit(1);
}

function answers(address: string): Promise<boolean> {
  return fetch(address, { signal: AbortSignal.timeout(2000) }).then(
    () => true,
    () => false,
  );
}
