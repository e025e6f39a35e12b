import { Command, InvalidArgumentError, Option } from 'commander';
import { UsageFault } from '../faults.ts';
import { readings } from '../signatures.ts';
import { isTrick, TRICKS, type Trick, trickNames } from './tricks.ts';

export interface Options {
  forwardTo?: string;
  port: number;
  secret?: string;
  chaos?: readonly Trick[];
  seed: number;
  for?: number;
  timeout?: number;
  trigger?: boolean;
  printBody?: boolean;
  json?: boolean;
}

const DESCRIPTION =
  'Receives every event of the running sandbox, says whether its signature verifies, and forwards it to your receiver. With --chaos, it also sends variations that a receiver must handle, and says whether yours does.';

const EPILOGUE = `
The tricks of --chaos, and what a correct receiver answers:
${trickNames.map((name) => `  ${name.padEnd(18)}${TRICKS[name].what.padEnd(41)}${TRICKS[name].right}`).join('\n')}

Examples:
  npm run listen -- --forward-to http://localhost:4000/hook
  npm run listen -- --forward-to http://localhost:4000/hook \\
    --chaos --trigger --for 3
  npm run listen -- --forward-to http://localhost:4000/hook \\
    --chaos duplicates,old-timestamp --seed 7

Exit codes: 0 all passed, 1 something failed, 2 not understood.
The service and its credentials come from data/demo.env, or from BASE_URL,
CLIENT_ID and CLIENT_SECRET.`;

/** @throws what `explain` understands */
export function readOptions(args: readonly string[]): Options {
  const program = new Command('npm run listen --')
    .description(DESCRIPTION)
    .option(
      '--forward-to <url>',
      'your receiver; it gets each delivery, and its status goes back to the service',
      parseUrl,
    )
    .option('--port <number>', 'where to listen', wholeNumber(0, 65_535), 4100)
    .option('--secret <whsec_...>', 'the secret of your receiver, instead of a new one', parseSecret)
    .addOption(
      new Option('--chaos [tricks]', 'test your receiver with all tricks below, or with those named')
        .preset('all')
        .argParser(parseTricks),
    )
    .option('--seed <number>', 'repeat the chaos of an earlier run', wholeNumber(0, 999_999))
    .option('--for <deliveries>', 'end after this many different deliveries', wholeNumber(1, 100_000))
    .option('--timeout <seconds>', 'with --for: fail if they have not arrived by then', wholeNumber(1, 86_400))
    .option('--trigger', 'start a verification, which sends events; Enter starts another')
    .option('--print-body', 'show the JSON of each event')
    .option('--json', 'print one JSON object per line')
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText('after', EPILOGUE)
    .parse(args, { from: 'user' });
  const options = program.opts();
  if (options['chaos'] && !options['forwardTo']) throw new UsageFault('--chaos needs a receiver: add --forward-to.');
  if (options['timeout'] && !options['for']) throw new UsageFault('--timeout goes with --for.');
  return { ...program.opts<Options>(), seed: options['seed'] ?? Math.floor(Math.random() * 1_000_000) };
}

function parseUrl(text: string): string {
  const address = /^\d+$/.test(text) ? `http://localhost:${text}` : text;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new InvalidArgumentError('Give an address such as http://localhost:4000/hook.');
}

/** Only a secret with a single reading, which the public libraries share. */
function parseSecret(text: string): string {
  const [reading, ...otherReadings] = readings(text);
  if (reading?.as === 'base64' && otherReadings.length === 0) return text;
  throw new InvalidArgumentError('Give whsec_ and complete base64; echo "whsec_$(openssl rand -base64 32)" makes one.');
}

function parseTricks(text: string): Trick[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('all')) return trickNames;
  const unknown = names.filter((name) => !isTrick(name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no ${unknown.join(', ')}. There are: ${trickNames.join(', ')}.`);
  return names.filter(isTrick);
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,6}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}
