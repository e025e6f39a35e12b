import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { codeInBrackets } from '../../core/errors.ts';
import { didYouMean } from '../../core/rules/near-miss.ts';
import { settingNames } from '../../core/settings/catalogue.ts';
import { ConfigError } from '../../core/settings/config-error.ts';

const DEFAULT_FILE = '.env';
/** Read by Node or by this module before the file is loaded. */
const ENVIRONMENT_ONLY = /^(NODE_(?!ENV$).*|SETTINGS_FILE)$/;
/** Used by libraries (AWS SDK, pg, OpenTelemetry, Node's time zone), by container tools that read the same file, and by the command line. */
const OF_OTHERS = /^(AWS_.*|PG[A-Z]+|OTEL_.*|COMPOSE_.*|DOCKER_.*|POSTGRES_.*|NODE_ENV|TZ|OPERATOR)$/;

/** The file that settings are read from, if there is one. */
export function settingsFile(): string | undefined {
  const file = process.env['SETTINGS_FILE'] ?? DEFAULT_FILE;
  return file !== '' && existsSync(file) ? file : undefined;
}

/**
 * Loads settings from `.env` in the working folder, or from the file in SETTINGS_FILE; empty means none. The
 * environment takes precedence. All of an operator's programs get the same settings this way.
 * @throws ConfigError when the file cannot be read, or contains an unknown name
 */
export function loadSettingsFile(): void {
  const named = process.env['SETTINGS_FILE'];
  const file = named ?? DEFAULT_FILE;
  if (file === '' || (named === undefined && !existsSync(file))) return;
  const settings = read(file, named === undefined ? file : `SETTINGS_FILE, which is "${file}",`);
  const known = settingNames();
  const faults = Object.keys(settings).flatMap((name) => faultOf(name, known));
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `${file}: ${fault}`));
  for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
}

function read(file: string, shown: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError([`${shown} cannot be read${codeInBrackets(error)}.`]);
  }
}

function faultOf(name: string, known: readonly string[]): string[] {
  if (ENVIRONMENT_ONLY.test(name)) return [`${name} works in the environment only; set it there.`];
  if (known.includes(name) || OF_OTHERS.test(name)) return [];
  return [
    `${name} is not a setting.${didYouMean(name, known).replaceAll('`', '') || ' Remove it, or keep it in a separate file.'}`,
  ];
}
