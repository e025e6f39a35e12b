import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { ConfigError } from '../../core/settings/config.ts';

const DEFAULT_FILE = '.env';

/**
 * Reads settings from `.env` in the folder of the service, or from what SETTINGS_FILE names; empty means none. What is in the environment
 * already wins. So every program of an operator has the same settings, whoever starts it.
 * @throws ConfigError
 */
export function loadSettingsFile(): void {
  const named = process.env['SETTINGS_FILE'];
  const file = named ?? DEFAULT_FILE;
  if (file === '' || (named === undefined && !existsSync(file))) return;
  try {
    loadEnvFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new ConfigError([
      `${named === undefined ? file : `SETTINGS_FILE, which is "${file}",`} cannot be read${code}.`,
    ]);
  }
}
