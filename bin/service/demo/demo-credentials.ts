import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../../providers/documents/disk.ts';

const blank = {
  BASE_URL: '',
  CLIENT_ID: '',
  CLIENT_SECRET: '',
  APPLICATION_ID: '',
  TENANT_ID: '',
  VERIFIED_TENANT_ID: '',
  REJECTED_TENANT_ID: '',
  ERROR_TENANT_ID: '',
  LEFT_TENANT_ID: '',
  WORKSPACE_ID: '',
  PROPERTY_ID: '',
};

/** The shell variables for trying the sandbox. */
export type DemoCredentials = typeof blank;

const FILE = 'demo.env';

/** Writes a file in the data folder that a shell can read. */
export async function writeDemoCredentials(dataDir: string, credentials: DemoCredentials): Promise<DemoCredentials> {
  // Credentials read from a file of an earlier version may lack newer variables.
  const lines = Object.entries(credentials).map(([name, value]) => (value ? `${name}=${value}\n` : ''));
  await writeAtomically(join(dataDir, FILE), Buffer.from(lines.join('')));
  return credentials;
}

export async function readDemoCredentials(dataDir: string): Promise<DemoCredentials | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => '');
  const credentials = { ...blank };
  for (const name of Object.keys(blank) as (keyof DemoCredentials)[])
    credentials[name] = new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1] ?? '';
  return credentials.CLIENT_ID ? credentials : undefined;
}
