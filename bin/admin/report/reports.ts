import { Readable } from 'node:stream';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { NotFound, on } from '../../../core/errors.ts';
import { canonicalId } from '../../../core/ids.ts';
import type { Language } from '../../../core/texts/languages.ts';
import { reportLanguages } from '../../../core/texts/report-texts.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { findReport, type ListedReport, listReports, listReportViews } from '../../../db/reports/reports.ts';
import {
  DEFAULT_SHARE_DAYS,
  MAX_SHARE_DAYS,
  readReportFile,
  requestReport,
  revokeReport,
  shareReport,
  viewerOf,
} from '../../../jobs/reports/reports.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { expectFound } from '../cli/named.ts';
import { operator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { typedPath } from '../cli/read-file.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseText } from '../cli/values.ts';
import { writePrivateFile } from '../cli/write-file.ts';

const NOTES = `
The name of the viewer stands on every page. A report is made by a worker:
"report show" says how far it is. A shared copy has the content of the report
it is made from, and a link that expires; "report show" says who looked.`;

export function addReportCommands(report: Command): void {
  report
    .command('make')
    .description('begin to make the report about an application')
    .argument('<application>', 'the id of the application', canonicalId)
    .option('--for <name>', 'who will read it; the operator by default', parseText)
    .addOption(new Option('--language <tag>', "the language; the landlord's by default").choices(reportLanguages))
    .addHelpText('after', NOTES)
    .addHelpText('after', example('report make <application id> --for "Ada Berg"'))
    .action(make);
  report
    .command('list')
    .description('list reports and shared copies, newest first')
    .argument('[application]', 'the id of an application', canonicalId)
    .addOption(limitOption())
    .addHelpText('after', example('report list', 'report list <application id>'))
    .action(listAll);
  report
    .command('show')
    .description('show how far a report is, and who looked at a shared copy')
    .argument('<report>', 'the id of the report', canonicalId)
    .addHelpText('after', example('report show <report id>'))
    .action(show);
  report
    .command('extract')
    .description('write the PDF of a report to a file that only you can read')
    .argument('<report>', 'the id of the report', canonicalId)
    .option('--to <file>', 'the file; by default named after the report')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', example('report extract <report id> --to ./report.pdf'))
    .action(extract);
  report
    .command('share')
    .description('make a copy for someone, behind a link that expires')
    .argument('<report>', 'the id of the report', canonicalId)
    .requiredOption('--with <name>', 'who will read it', parseText)
    .option('--days <days>', 'how long the link is valid', parseDays, DEFAULT_SHARE_DAYS)
    .addHelpText('after', example('report share <report id> --with "Owner, Ms Ruiz" --days 7'))
    .action(share);
  report
    .command('revoke')
    .description('end the link of a shared copy at once')
    .argument('<report>', 'the id of the copy', canonicalId)
    .addHelpText('after', example('report revoke <report id>'))
    .action(revoke);
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!Number.isSafeInteger(days) || days < 1 || days > MAX_SHARE_DAYS)
    throw new InvalidArgumentError(`Must be a whole number from 1 to ${MAX_SHARE_DAYS}.`);
  return days;
}

const by = (viewer = operator().id) => ({ scope: ALL_LANDLORDS, actor: operator(), viewer });

const make = withRuntime(async (runtime, id: string, options: { for?: string; language?: Language }) => {
  const missing = () => expectFound<string>(undefined, 'application', id, 'application list');
  const report = await requestReport(runtime, id, options.language, by(options.for)).catch(on(NotFound, missing));
  const next = `A worker makes it: ${commandLine(`report show ${report}`)}`;
  return record('The report is being made.', { report_id: report, application_id: id }, next);
});

const listAll = withRuntime(async (runtime, applicationId: string | undefined, { limit }: { limit: number }) => {
  const narrowed = applicationId === undefined ? {} : { applicationId };
  const rows = await listReports(runtime.db, ALL_LANDLORDS, { ...narrowed, limit: limit + 1 });
  return list(
    rows.map((row) => fields(row, runtime)),
    {
      columns: ['report_id', 'viewer', 'status', 'pages', 'link', 'created_at', 'application_id'],
      cut: ['viewer'],
      drop: ['application_id', 'pages', 'created_at'],
      empty: 'There are no reports.',
      limit,
    },
  );
});

const show = withRuntime(async (runtime, id: string) => {
  const row = await namedReport(runtime, id);
  const views = await listReportViews(runtime.db, id);
  const shown = record('Report', { ...fields(row, runtime), sha256: row.sha256, failure: row.failure });
  const looked = views.map(({ what, at }) => ({ at, what: what === 'file' ? 'PDF' : 'page' }));
  const { text } = list(looked, { columns: ['at', 'what'], empty: 'No one has looked at it through a link.' });
  return { json: { ...shown.json, views: looked }, text: `${shown.text}\n\n${text}` };
});

const extract = withRuntime(async (runtime, id: string, options: { to?: string; force?: true }) => {
  const row = await namedReport(runtime, id);
  const content = await readReportFile(runtime, id, by());
  if (!content) return record('The report is not made yet.', fields(row, runtime));
  const file = typedPath(options.to ?? `report-${id}.pdf`);
  await writePrivateFile(file, Readable.from([content]), options.force ?? false);
  return record('The report was written.', { file, ...fields(row, runtime) });
});

const share = withRuntime(async (runtime, id: string, { with: viewer, days }: { with: string; days: number }) => {
  await namedReport(runtime, id);
  const { id: copy, token, expiresAt } = await shareReport(runtime, id, days, by(viewer));
  const link = `${runtime.publicUrl()}/report/shared/${token}`;
  const next = 'Send the link yourself, and only to that person: it is shown once, and anyone who has it can read.';
  return record('The copy is being made.', { report_id: copy, viewer, expires_at: expiresAt, link }, next);
});

const revoke = withRuntime(async (runtime, id: string) => {
  await namedReport(runtime, id);
  const isRevoked = await revokeReport(runtime, id, by());
  return record(isRevoked ? 'The link no longer works.' : 'It had no valid link; nothing changed.', {
    report_id: id,
    is_revoked: isRevoked,
  });
});

async function namedReport({ db }: Pick<Runtime, 'db'>, id: string): Promise<ListedReport> {
  return expectFound(await findReport(db, ALL_LANDLORDS, id), 'report', id, 'report list');
}

function fields(row: ListedReport, runtime: Pick<Runtime, 'keys' | 'now'>) {
  const { id, application_id, status, done, total, pages, language, created_at, finished_at } = row;
  return {
    report_id: id,
    application_id,
    viewer: viewerOf(row, runtime),
    status: status === 'pending' && total > 0 ? `${status}, ${done} of ${total}` : status,
    language,
    pages,
    link: linkState(row, runtime.now()),
    expires_at: row.token_expires_at,
    created_at,
    finished_at,
  };
}

function linkState({ token_expires_at, revoked_at }: ListedReport, now: Date): string | null {
  if (token_expires_at === null) return null;
  if (revoked_at !== null) return 'revoked';
  return token_expires_at > now.toISOString() ? 'valid' : 'expired';
}
