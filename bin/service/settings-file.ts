import { existsSync } from 'node:fs';
import { ConfigError } from '../../core/settings/config-error.ts';

const DEFAULT_FILE = '.env';

/** The file that settings are read from, if there is one. */
export function settingsFile(): string | undefined {
  const file = process.env['SETTINGS_FILE'] ?? DEFAULT_FILE;
  return file !== '' && existsSync(file) ? file : undefined;
}

/**
 * Loads settings from `.env` in the working folder, or from the file in SETTINGS_FILE; empty means none. The
 * environment takes precedence. All of an operator's programs get the same settings this way.
 * @throws ConfigError
 */
export function loadSettingsFile(): void {
  const named = process.env['SETTINGS_FILE'];
  const file = named ?? DEFAULT_FILE;
  if (file === '' || (named === undefined && !existsSync(file))) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new ConfigError([
      `${named === undefined ? file : `SETTINGS_FILE, which is "${file}",`} cannot be read${code}.`,
    ]);
  }
}
