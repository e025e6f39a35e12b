import { Conflict, NotFound, ValidationError } from '../../../../core/errors.ts';
import { type Html, html, isolated } from '../../../../core/html.ts';
import { headText, readHead } from '../../../../core/rules/audit-chain.ts';
import { type AuditEntryRow, findAuditEntry } from '../../../../db/audit/audit.ts';
import { archivedHead } from '../../../../db/audit/audit-archives.ts';
import { listAuditEntries } from '../../../../db/audit/audit-list.ts';
import {
  auditHolds,
  lastVerification,
  type Verification,
  verdictText,
} from '../../../../jobs/upkeep/audit-verification.ts';
import { ArchivedHead, expectInLog } from '../../../../jobs/upkeep/chain-audit.ts';
import { PAGE_ROWS, textIn } from '../../query.ts';
import { action, type Console, expectFound, operatorsOnly, page } from '../../route.ts';
import { actionForm, field, filterForm } from '../../views/forms.ts';
import { livePart } from '../../views/live.ts';
import { badge, type Column, code, facts, link, moment, older, shortId, table } from '../../views/parts.ts';

export const auditRoutes = [
  page('/audit', operatorsOnly, async (visit, console) => {
    const { query, to, t } = visit;
    const { db } = console;
    const last = await lastVerification(console);
    const [resource, actor, action] = ['resource', 'actor', 'action'].map((name) => textIn(query, name));
    const [since, before] = [dayIn(query), sequenceIn(query)];
    const found = await listAuditEntries(db, { resource, actor, action, since, before }, PAGE_ROWS + 1);
    const entries = found.slice(0, PAGE_ROWS);
    const columns: readonly Column<AuditEntryRow>[] = [
      ['At', (entry) => link(to(`audit/${entry.sequence}`), moment(entry.at))],
      ['Who', whoOf],
      ['Action', (entry) => code(entry.action)],
      ['Resource', ({ resource_id }) => shortId(resource_id)],
    ];
    const next = found.length > PAGE_ROWS ? entries.at(-1)?.sequence : undefined;
    const archived = next === undefined ? (await archivedHead(db)).position : 0;
    const fields = [
      field('resource', 'Resource', { value: resource ?? '', hint: 'id' }),
      field('actor', 'Actor', { value: actor ?? '', hint: 'id, or name of an operator' }),
      field('action', 'Action', { value: action ?? '', hint: 'webhook.pause, or webhook' }),
      field('since', 'Since', { value: textIn(query, 'since') ?? '', hint: '2027-01-31' }),
    ];
    const main = html`${livePart('verification', html`${verification(last)}`)}
${actionForm(visit, { to: 'audit', label: 'Verify the chain', fields: [field('head', 'Earlier head that the chain must contain', { hint: 'position:hash (optional)' })] })}
${filterForm(to('audit'), fields)}
${livePart(
  'entries',
  html`${table('Entries of the audit log, newest first', columns, entries, 'There are no such entries.')}
${archived > 0 ? html`<p class="note">Older entries, up to position ${archived.toLocaleString('en')}, are archived: ${code('audit archives')} lists their files.</p>` : undefined}
${older(t, to('audit'), query, next === undefined ? undefined : String(next))}`,
)}`;
    return { title: 'Audit log', main, state: [last, found, archived] };
  }),
  page('/audit/:sequence', operatorsOnly, async ({ param, to }, { db }) => {
    const sequence = param('sequence');
    if (!SEQUENCE.test(sequence)) throw new NotFound('Entry');
    const entry = expectFound(await findAuditEntry(db, Number(sequence)), 'Entry');
    const of = (name: string, value: string) => to(`audit?${name}=${encodeURIComponent(value)}`);
    const main = html`${facts([
      ['At', moment(entry.at)],
      ['Who', whoOf(entry)],
      ['All by this actor', link(of('actor', entry.actor), 'See them')],
      ['Resource', shortId(entry.resource_id)],
      ['All on this resource', link(of('resource', entry.resource_id), 'See them')],
      ['Request', entry.correlation_id && shortId(entry.correlation_id)],
      ['Entry', code(String(entry.sequence))],
      ['Position in the chain', entry.position ?? 'not yet'],
      ['Hash', code(entry.hash)],
    ])}`;
    return { title: entry.action, above: [link(to('audit'), 'Audit log')], main };
  }),
  action('/audit', operatorsOnly, async ({ form, actor }, console: Console) => {
    const text = textIn(form, 'head');
    const kept = text === undefined ? undefined : readHead(text);
    if (text !== undefined && kept === undefined)
      throw new ValidationError(
        [],
        'A head is a position and a hash, as a verification tells them: <position>:<hash>.',
      );
    if (kept)
      await expectInLog(console.db, kept).catch((error) => {
        throw error instanceof ArchivedHead ? new ValidationError([], `That head’s ${error.message}.`) : error;
      });
    if (!(await console.verifier.start(console, kept, actor)))
      throw new Conflict('The audit log is being verified: wait until that has ended.');
    return { goTo: 'audit', notice: 'verifying' };
  }),
];

const SEQUENCE = /^\d{1,15}$/;

function sequenceIn(query: URLSearchParams): number | undefined {
  const text = textIn(query, 'before');
  if (text === undefined) return undefined;
  if (!SEQUENCE.test(text)) throw new ValidationError([], 'before: must come from a link to older rows.');
  return Number(text);
}

function dayIn(query: URLSearchParams): Date | undefined {
  const text = textIn(query, 'since');
  if (text === undefined) return undefined;
  const since = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(since.getTime()))
    throw new ValidationError([], 'since: must be a date, such as 2027-01-31.');
  return since;
}

function whoOf({ actor_kind, actor }: AuditEntryRow): Html {
  if (actor_kind === 'service') return html`the service`;
  return html`${actor_kind.replace('_', ' ')} ${actor_kind === 'operator' ? isolated(actor) : shortId(actor)}`;
}

function verification(last: Verification | undefined): Html | undefined {
  if (!last) return undefined;
  const { by, startedAt, endedAt, done, total, verdict, isAbandoned } = last;
  const began = html`<p class="note">Started by ${by} at ${moment(startedAt)}.</p>`;
  if (isAbandoned)
    return html`<p class="lead">${badge('failed')} The process that verified the chain ended. Verify it again.</p>${began}`;
  if (endedAt === undefined)
    return html`<p class="lead">${badge('verifying')} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} entries. <noscript>Reload the page to see its progress.</noscript></p>${began}`;
  if (!verdict)
    return html`<p class="lead">${badge('failed')} The verification did not reach the end; the log of the service says why.</p>${began}`;
  const { archived, head, waiting, displaced } = verdict;
  return html`<p class="lead">${badge(auditHolds(verdict) ? 'ok' : 'problem')} ${verdictText(verdict)}</p>
${facts([
  ['Entries', head.position.toLocaleString('en')],
  ['Of these in archives', archived > 0 ? archived.toLocaleString('en') : null],
  ['Verified', moment(endedAt)],
  ['Not in the chain yet', waiting],
  ['Displaced', displaced],
  ['Head, to keep where no one who can change the database can change it', code(headText(head))],
])}${began}`;
}
