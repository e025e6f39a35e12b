import { reportParts } from '@tenant-screening/forensics/report/parts';
import { Html, html, isolated } from '../../../../core/html.ts';
import { getTenant } from '../../../../db/applications/tenants.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { findAllDocuments } from '../../../../db/documents/documents.ts';
import { type ForensicRunRow, findForensicRun } from '../../../../db/documents/forensic-runs.ts';
import { readDecisions } from '../../../../jobs/documents/decide-finding.ts';
import { findStoredAnalysis, type StoredAnalysis } from '../../../../jobs/documents/stored-analysis.ts';
import { textIn } from '../../query.ts';
import { expectFound, type PageRoute, type Parts, type Visit } from '../../route.ts';
import { decisionsOn } from '../../views/decisions.ts';
import { actionForm } from '../../views/forms.ts';
import { badge, code, facts, link, moment } from '../../views/parts.ts';
import { pictureQuery } from './pictures.ts';

/** What an analysis found, in the report's words, beside the pages of one document at a time. */
export const analysisPage: PageRoute<Parts>['handle'] = async (visit, console) => {
  const { db } = console;
  const { to, actor, now } = visit;
  const run = expectFound(await findForensicRun(db, visit.scope, visit.param('id')), 'Analysis');
  // Recorded before it is shown, so that no read goes unrecorded.
  await inTransaction(db, (trx) => recordAudit(trx, actor, 'forensic.read', run.id, now));
  const tenant = await getTenant(db, run.tenant_id);
  const found = await findStoredAnalysis(console, run);
  const main = html`<p class="crumbs">${link(to('people'), 'People')} ${link(to(`people/${tenant.id}`), isolated(tenant.name || tenant.email))}</p>
<h1>Analysis of documents ${badge(run.status)}</h1>
<p class="note">Viewing this page is recorded.</p>
${facts([
  ['Person', link(to(`people/${tenant.id}`), isolated(tenant.email))],
  ['Analysis', code(run.id)],
  ['Finished', moment(run.finished_at)],
  ['Result of', found && found.run.id !== run.id ? link(to(`analyses/${found.run.id}`), code(found.run.id)) : null],
  ['Failure', run.failure === null ? null : isolated(run.failure)],
])}
${run.finished_at === null ? undefined : actionForm(visit, { to: `analyses/${run.id}/rerun`, label: 'Analyse again' })}
${found ? await report(found, visit, console) : html`<p class="lead">${withoutResult(run)}</p>`}`;
  return { title: `Analysis · ${tenant.name || tenant.email}`, main };
};

function withoutResult({ status, finished_at }: ForensicRunRow): string {
  if (finished_at === null) return 'It is not complete yet: reload the page.';
  return status === 'failed' ? 'It failed, and there is no result.' : 'Its result has been erased.';
}

async function report({ run, analysis, stored }: StoredAnalysis, visit: Visit, console: Parts): Promise<Html> {
  if (!analysis) {
    const json = JSON.stringify(stored, null, 2);
    return html`<p class="lead">It lists no checks: this is all that it says.</p><pre tabindex="0">${json}</pre>`;
  }
  const here = visit.to(`analyses/${visit.param('id')}`);
  const kept = new Set((await findAllDocuments(console.db, visit.scope, run.tenant_id)).map(({ id }) => id));
  const decisions = await readDecisions(console, run.id);
  const { markup } = reportParts(analysis, {
    chosen: Number(textIn(visit.query, 'document')) || undefined,
    hrefOf: (place) => `${here}?document=${place}#d`,
    picturesOf: (id) => (kept.has(id) ? (picture) => `${here}/picture?${pictureQuery(id, picture)}` : undefined),
    beside: (place) => decisionsOn(place, decisions, visit, textIn(visit.query, 'document') ?? '').markup,
  });
  // The report escapes its content.
  return html`<div class="analysis">${new Html(markup)}</div>`;
}
