import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The command line of a program for developers. `--help` prints the usage and exits with 0, a wrong option with 2. */
export function commandLine<const Config extends ParseArgsConfig>(usage: string, config: Config) {
  if (process.argv.slice(2).includes('--help')) {
    console.log(`Usage: ${usage}`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return misused(usage, error instanceof Error ? error.message : String(error));
  }
}

export function misused(usage: string, why = ''): never {
  if (why) console.error(why);
  console.error(`Usage: ${usage}`);
  process.exit(2);
}
