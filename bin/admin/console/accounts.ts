import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type ConsoleAccountRow,
  consoleRoles,
  findAccountByName,
  listAccounts,
} from '../../../db/access/console-accounts.ts';
import { LINK_MINUTES } from '../../../jobs/access/sign-in.ts';
import { ACCOUNT_NAME, createAccount, disable, enable, newSignInLink } from '../../../jobs/console/accounts.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { OperatorError } from '../cli/faults.ts';
import { operator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { linkFields, parseMail, signInColumns } from '../cli/sign-in.ts';
import { limitOption } from '../cli/values.ts';

const KEEP_IT = `The link can be used once, within ${LINK_MINUTES} minutes; the person who opens it signs in. Hand it over where only its owner reads it.`;

export function addConsoleAccountCommands(account: Command): void {
  account
    .command('create')
    .description('create a console account, with a sign-in link')
    .requiredOption('--name <name>', 'the name of the operator, also in the audit log', parseName)
    .addOption(
      new Option('--role <role>', 'viewers can look, operators can also act').choices(consoleRoles).default('viewer'),
    )
    .option('--mail <address>', 'where sign-in links may be sent', parseMail)
    .addHelpText('after', example('console-account create --name ana --role operator --mail ana@letting.example'))
    .action(create);
  account
    .command('list')
    .description('list the console accounts, by name')
    .addOption(limitOption())
    .addHelpText('after', example('console-account list'))
    .action(listAll);
  account
    .command('link')
    .description('create a new sign-in link, which replaces the former one')
    .argument('<name>', 'the name of the account')
    .addHelpText('after', example('console-account link ana'))
    .action(makeLink);
  account
    .command('disable')
    .description('disable an account, which ends its sessions and its sign-in link')
    .argument('<name>', 'the name of the account')
    .addHelpText('after', example('console-account disable ana'))
    .action(disableOne);
  account
    .command('enable')
    .description('let a disabled account sign in again')
    .argument('<name>', 'the name of the account')
    .addHelpText('after', example('console-account enable ana'))
    .action(enableOne);
}

function parseName(text: string): string {
  if (ACCOUNT_NAME.test(text)) return text;
  throw new InvalidArgumentError('Use up to 32 of a-z, 0-9, dot, hyphen and underscore, such as ana.');
}

interface CreateOptions {
  name: string;
  role: ConsoleAccountRow['role'];
  mail?: string;
}

const create = withRuntime(async (runtime, { name, role, mail = undefined }: CreateOptions) => {
  const account = await createAccount(runtime, { name, role, mail_address: mail ?? null }, operator());
  if (!account) throw new OperatorError(`an account named "${name}" already exists; list them with ${listing()}`);
  const link = runtime.consoleUrl === undefined ? undefined : await newSignInLink(runtime, account, operator());
  const fields = { ...view(account), ...linkFields(runtime.consoleUrl ?? '', link) };
  return record('The account was created.', fields, link ? KEEP_IT : CONSOLE_IS_OFF);
});

const CONSOLE_IS_OFF =
  'The console is off with these settings. Set CONSOLE=true, OPS_PORT and CONSOLE_URL for a link to it.';

const listAll = withRuntime(async ({ db, now }, { limit }: { limit: number }) => {
  const rows = (await listAccounts(db, limit + 1)).map(view);
  return list(rows, {
    columns: ['name', 'role', 'status', 'mail', 'last_signed_in_at'],
    cut: ['mail'],
    drop: ['mail', 'last_signed_in_at'],
    limit,
    empty: `There are no accounts yet. Create one:\n  ${commandLine('console-account create --name ana --role operator')}`,
    forPeople: (row) => ({
      ...row,
      ...signInColumns(row, now()),
    }),
  });
});

const makeLink = withRuntime(async (runtime, name: string) => {
  const account = await named(runtime, name);
  if (account.disabled_at !== null)
    throw new OperatorError(
      `the account is disabled; enable it first: ${commandLine(`console-account enable ${name}`)}`,
    );
  if (runtime.consoleUrl === undefined) throw new OperatorError(CONSOLE_IS_OFF);
  const fields = linkFields(runtime.consoleUrl, await newSignInLink(runtime, account, operator()));
  return record('A sign-in link was created.', { name, ...fields }, KEEP_IT);
});

const disableOne = withRuntime(async (runtime, name: string) => {
  const { id } = await named(runtime, name);
  const isChanged = await disable(runtime, id, operator());
  const sentence = isChanged
    ? 'The account was disabled. Its sessions ended.'
    : 'It was already disabled; nothing changed.';
  return record(sentence, view(await named(runtime, name)));
});

const enableOne = withRuntime(async (runtime, name: string) => {
  const { id } = await named(runtime, name);
  const isChanged = await enable(runtime, id, operator());
  const sentence = isChanged ? 'The account can sign in again.' : 'It was not disabled; nothing changed.';
  return record(
    sentence,
    view(await named(runtime, name)),
    `For a link:\n  ${commandLine(`console-account link ${name}`)}`,
  );
});

/** @throws OperatorError when there is no such account */
async function named({ db }: Pick<Runtime, 'db'>, name: string): Promise<ConsoleAccountRow> {
  const account = await findAccountByName(db, name);
  if (!account) throw new OperatorError(`no account has the name "${name}"; list them with ${listing()}`);
  return account;
}

function listing(): string {
  return commandLine('console-account list');
}

function view({ id, name, role, mail_address, created_at, disabled_at, last_signed_in_at }: ConsoleAccountRow) {
  return { account_id: id, name, role, mail: mail_address, created_at, disabled_at, last_signed_in_at };
}
