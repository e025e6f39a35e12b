import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../providers/documents/disk.ts';

/** The shell variables with which a newcomer tries the sandbox. */
export type DemoCredentials = Record<
  | 'BASE_URL'
  | 'CLIENT_ID'
  | 'CLIENT_SECRET'
  | 'APPLICATION_ID'
  | 'TENANT_ID'
  | 'VERIFIED_TENANT_ID'
  | 'REJECTED_TENANT_ID'
  | 'ERROR_TENANT_ID'
  | 'LEFT_TENANT_ID'
  | 'WORKSPACE_ID'
  | 'PROPERTY_ID',
  string
>;

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
  const read = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1] ?? '';
  const credentials = {
    BASE_URL: read('BASE_URL'),
    CLIENT_ID: read('CLIENT_ID'),
    CLIENT_SECRET: read('CLIENT_SECRET'),
    APPLICATION_ID: read('APPLICATION_ID'),
    TENANT_ID: read('TENANT_ID'),
    VERIFIED_TENANT_ID: read('VERIFIED_TENANT_ID'),
    REJECTED_TENANT_ID: read('REJECTED_TENANT_ID'),
    ERROR_TENANT_ID: read('ERROR_TENANT_ID'),
    LEFT_TENANT_ID: read('LEFT_TENANT_ID'),
    WORKSPACE_ID: read('WORKSPACE_ID'),
    PROPERTY_ID: read('PROPERTY_ID'),
  };
  return credentials.CLIENT_ID ? credentials : undefined;
}
