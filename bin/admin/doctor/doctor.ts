import { existsSync } from 'node:fs';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import stringWidth from 'string-width';
import { notChecked, problem, verdictOn, warning } from '../../../core/conditions/observation.ts';
import { conditionIds } from '../../../core/conditions/table.ts';
import { type Config, readConfig } from '../../../core/settings/config.ts';
import { ConfigError } from '../../../core/settings/config-error.ts';
import { wrapped } from '../../../core/text.ts';
import { disconnect, open } from '../../../db/connection/connect.ts';
import type { Database } from '../../../db/connection/database.ts';
import { inOrder, look, type Observed, withRemedy } from '../../../jobs/conditions/look.ts';
import { createProviders } from '../../service/build.ts';
import { looking, reasonOf, schemaOf, sightOf } from '../../service/conditions.ts';
import { serviceAddress } from '../../service/own-address.ts';
import { plain } from '../cli/output.ts';
import { commandLine, example, streamed } from '../cli/run-command.ts';
import { terminalWidth } from '../cli/terminal.ts';
import { examineProcess, PROCESS_MS } from './process.ts';

const NOTES = `
It changes nothing, except that it stores and removes a few bytes among the
documents. It also contacts the mail server and the providers. Run it with the
service's settings, whether the service runs or not. It prints each answer when
it has it, and ends within 20 seconds.

Exit codes: 0 no problem, though there may be warnings; 1 there is a problem,
or a condition did not answer in time.`;

export function makeDoctorCommand(doctor: Command): void {
  doctor.addHelpText('after', NOTES).addHelpText('after', example('doctor', 'doctor --json')).action(examineAll);
}

const examineAll = streamed(async (print) => {
  const observed = await examine((one) => one.state === 'not checked' || print(lineOf(one)));
  for (const alike of Map.groupBy(observed.filter(isSkipped), ({ found }) => found).values()) print(skipped(alike));
  const json = inOrder(observed).map(({ condition: check, state, found, advice, command }) => ({
    check,
    state,
    found,
    advice: withCommand(advice, command) ?? null,
  }));
  const isBad = observed.some(({ state }) => state === 'problem' || state === 'unknown');
  return { json, text: `\n${verdictOn(observed)}`, ...(isBad ? { exitCode: 1 as const } : {}) };
});

/** Without valid settings, nothing else can be checked. */
async function examine(seen: (observed: Observed) => unknown): Promise<Observed[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    const faults = error instanceof ConfigError ? error.faults : [reasonOf(error)];
    const observed = faults.map((fault) => withRemedy('settings', problem(fault)));
    const others = conditionIds.filter((id) => id !== 'settings');
    const left = others.map((id) => withRemedy(id, notChecked('The settings are not valid.', 'First correct them.')));
    observed.forEach(seen);
    return [...observed, ...left];
  }
  return examineWith(config, seen);
}

async function examineWith(config: Config, seen: (observed: Observed) => unknown): Promise<Observed[]> {
  const { database } = config;
  const { promise: answering, resolve } = Promise.withResolvers<Database | undefined>();
  let db: Database | undefined;
  const examineDatabase = async () => {
    // Read-only: creates no file and applies no migration.
    if (database.dialect === 'sqlite' && !existsSync(database.file))
      return warning(`${database.file} does not exist yet.`, 'The first start creates it.');
    const opened = await open(database, { readOnly: true });
    db = opened;
    const schema = await schemaOf(opened, config);
    if (schema.state === 'ok') resolve(opened);
    return schema;
  };
  const providers = await createProviders(config, () => config.publicUrl ?? '');
  const sight = sightOf({
    config,
    providers,
    url: () => serviceAddress(config),
    process: examineProcess(config.operators, answering),
    database: examineDatabase,
    opened: () => db,
    db: () => db ?? unopened(),
    answering: () => answering,
    now: new Date(),
  });
  const note = (observed: Observed) => {
    if (observed.condition === 'database' && observed.state !== 'ok') resolve(undefined);
    seen(observed);
  };
  const patienceMs = { process: PROCESS_MS };
  const observed = await look(sight, ['settings', 'machine', 'provider', 'database'], {
    ...looking,
    patienceMs,
    seen: note,
  });
  // Not waited for: the command ends here, whatever is silent.
  void Promise.allSettled([db && disconnect(db), providers.outbound.close(), providers.mail.close()]);
  return observed;
}

function unopened(): never {
  throw new Error('The database is not open.');
}

/** The advice, with the command as the operator has to type it. */
function withCommand(advice: string | undefined, command: string | undefined): string | undefined {
  return command === undefined ? advice : `${advice ?? ''} ${commandLine(command)}`.trim();
}

const MARKS = { ok: 'OK', warning: 'WARNING', problem: 'PROBLEM', unknown: 'UNKNOWN', 'not checked': 'SKIPPED' };
const WIDEST_MARK = Math.max(...Object.values(MARKS).map(({ length }) => length));
const COLOURS = { ok: 'green', warning: 'yellow', problem: 'red', unknown: 'red', 'not checked': 'yellow' } as const;
const WIDEST = Math.max(...conditionIds.map(({ length }) => length));

const isSkipped = ({ state }: Observed) => state === 'not checked';

/** One line for all conditions that could not be checked for the same reason. */
function skipped(alike: readonly Observed[]): string {
  const names = alike.map(({ condition }) => condition).join(', ');
  const [first] = alike;
  return first ? lineOf({ ...first, found: `Not checked: ${names}. ${first.found}` }, `${alike.length}`) : '';
}

function lineOf({ condition, state, found, advice, command }: Observed, name: string = condition): string {
  const indent = ' '.repeat(WIDEST_MARK + 2 + WIDEST + 2);
  const head = `${styleText(COLOURS[state], MARKS[state].padEnd(WIDEST_MARK))}  ${styleText('bold', name.padEnd(WIDEST))}`;
  const words = [found, withCommand(advice, command) ?? '']
    .filter(Boolean)
    .flatMap((text) => wrapped(plain(text), terminalWidth() - indent.length, stringWidth));
  return `${head}  ${words.join(`\n${indent}`)}`;
}
