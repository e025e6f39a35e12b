import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { freshDatabase } from '../../harness/database/databases.ts';
import { type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';

/** What the guide asks a reader to download. */
const FILES = [
  ...['openapi.json', 'dredd-hooks.js', 'schemathesis_hooks.py', 'schemathesis.toml', 'contract-tests.sh'],
  ...['github-workflow.yml', 'gitlab-ci.yml', 'prism-proxy.sh'],
];

/** A started sandbox, and a folder with nothing but the kit as it publishes it. */
export interface Kit {
  service: ServiceProcess;
  folder: string;
  docsUrl: string;
  /** The environment that the guide asks for. */
  env: { BASE_URL: string; CLIENT_ID: string; CLIENT_SECRET: string };
  stop(): Promise<void>;
}

export async function openPublishedKit(): Promise<Kit> {
  const data = await mkdtemp(join(tmpdir(), 'screening-kit-data-'));
  const folder = await mkdtemp(join(tmpdir(), 'screening-kit-'));
  const service = await startServiceProcess({
    DATA_DIR: data,
    DATABASE_URL: await freshDatabase(data),
  });
  const docsUrl = `${service.url}/docs`;
  for (const name of FILES) {
    const response = await fetch(`${docsUrl}/${name}`);
    if (!response.ok) throw new Error(`The site does not publish ${name}.`);
    await writeFile(join(folder, name), Buffer.from(await response.arrayBuffer()));
  }
  const {
    BASE_URL = '',
    CLIENT_ID = '',
    CLIENT_SECRET = '',
  } = parseEnv(await readFile(join(data, 'demo.env'), 'utf8'));
  return {
    service,
    folder,
    docsUrl,
    env: { BASE_URL, CLIENT_ID, CLIENT_SECRET },
    stop: async () => {
      await service.stop();
      for (const used of [data, folder]) await rm(used, { recursive: true, force: true });
    },
  };
}
