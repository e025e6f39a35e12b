import type { Analysis } from '@tenant-screening/forensics/analysis';
import { reportParts } from '@tenant-screening/forensics/report/parts';
import { crossFindings, gravestFirst, numberedFindings } from '@tenant-screening/forensics/report/sections';
import type { Check, CheckFinding } from '@tenant-screening/forensics/result';
import { Html, html, isolated } from '../../../../core/html.ts';
import { findAllDocuments } from '../../../../db/documents/documents.ts';
import type { ForensicRunRow } from '../../../../db/documents/forensic-runs.ts';
import { readDecisions } from '../../../../jobs/documents/decide-finding.ts';
import { findingWords, inconclusiveWords } from '../../../../jobs/documents/finding-words.ts';
import { findStoredAnalysis, type StoredAnalysis } from '../../../../jobs/documents/stored-analysis.ts';
import { recordLook } from '../../../../jobs/privacy/looks.ts';
import { textIn } from '../../query.ts';
import type { Parts, ResultsPage, Visit } from '../../route.ts';
import { decisionsOn } from '../../views/decisions.ts';
import { actionForm } from '../../views/forms.ts';
import { badge, english, facts, idLink, link, linkIn, moment, sectionLink, shortId } from '../../views/parts.ts';
import { stateWords } from '../../views/states.ts';
import { analysisOf } from './access.ts';
import { pictureQuery } from './pictures.ts';

/** What an analysis found, in the report's words, beside the pages of one document at a time. */
export const analysisPage: ResultsPage = async (visit, parts) => {
  const { to, t, scope } = visit;
  const { run, tenant, about } = await analysisOf(visit, parts);
  // Recorded before it is shown, so that no read goes unrecorded.
  await recordLook(parts.db, visit, ['analysis', 'forensic.read', run.id], about);
  const isOperator = scope.of === 'all landlords';
  const found = await findStoredAnalysis(parts, run);
  const person = (text: string) => linkIn(visit, `people/${tenant.id}`, isolated(text));
  const main = html`<p class="note">${t.text('recorded.person')}</p>
${facts([
  [t.text('person'), person(tenant.email)],
  [t.text('analysis'), shortId(run.id)],
  [t.text('finished'), moment(run.finished_at)],
  [
    t.text('analysis.result-of'),
    found && found.run.id !== run.id ? idLink(visit, `analyses/${found.run.id}`, found.run.id) : null,
  ],
  [t.text('attempt.fault'), english(run.failure)],
])}
${run.finished_at === null ? undefined : actionForm(visit, { to: `analyses/${run.id}/rerun`, label: t.text('action.analyse-again') })}
${found ? await report(found, visit, parts) : html`<p class="lead">${withoutResult(run, visit)}</p>`}`;
  return {
    title: `${t.text('check.analysis')} · ${tenant.name || tenant.email}`,
    heading: html`${t.text('check.analysis')} ${badge(run.status, stateWords(t, run.status))}`,
    above: [
      isOperator ? link(to('people'), 'People') : sectionLink(visit, 'applications'),
      person(tenant.name || tenant.email),
    ],
    main,
  };
};

function withoutResult({ status, finished_at }: ForensicRunRow, { t }: Visit): string {
  if (finished_at === null) return t.text('analysis.under-way');
  return t.text(status === 'failed' ? 'analysis.failed' : 'analysis.gone');
}

async function report({ run, analysis, stored }: StoredAnalysis, visit: Visit, parts: Parts): Promise<Html> {
  const { t } = visit;
  if (!analysis) {
    const json = JSON.stringify(stored, null, 2);
    return html`<p class="lead">${t.text('analysis.no-checks')}</p><pre tabindex="0" translate="no">${json}</pre>`;
  }
  const here = visit.to(`analyses/${visit.param('id')}`);
  const kept = new Set((await findAllDocuments(parts.db, visit.scope, run.tenant_id)).map(({ id }) => id));
  const decisions = await readDecisions(parts, run.id);
  const { markup } = reportParts(analysis, {
    chosen: Number(textIn(visit.query, 'document')) || undefined,
    hrefOf: (place) => `${here}?document=${place}#d`,
    picturesOf: (id) => (kept.has(id) ? (picture) => `${here}/picture?${pictureQuery(id, picture)}` : undefined),
    beside: (place) => {
      const decided = decisionsOn(place, decisions, visit, textIn(visit.query, 'document') ?? '');
      return html`${translated(place, visit)}${decided}`.markup;
    },
  });
  // The report escapes its content.
  return html`${inShort(analysis, visit, kept)}
<article class="analysis" lang="en" dir="ltr">${new Html(markup)}</article>`;
}

/** What a finding means, in the reader's language, beside what the engine says of it in English. Operators read English. */
function translated({ check, finding }: Found, { t, reportTexts, scope }: Visit): Html | undefined {
  if (scope.of === 'all landlords') return undefined;
  const { title, text } = findingWords(reportTexts, check, finding);
  return html`<p lang="${t.language}" dir="${t.direction}"><b>${title}</b>: ${isolated(text)}</p>`;
}

interface Found {
  check: Check;
  finding: CheckFinding;
}

/** The outcome of each document and what was found, in the reader's language, for members; the details are in English. */
function inShort(analysis: Analysis, visit: Visit, kept: ReadonlySet<string>): Html | undefined {
  const { t, reportTexts, scope } = visit;
  if (scope.of === 'all landlords') return undefined;
  const items = gravestFirst(analysis.documents).map(({ document }) => {
    const { document_id, name, outcome } = document;
    const found = numberedFindings(document).filter(({ finding }) => finding.strength !== 'context');
    const advice = outcome === 'inconclusive' ? html`<p>${inconclusiveWords(reportTexts, document)}</p>` : undefined;
    const shown = kept.has(document_id) ? linkIn(visit, `documents/${document_id}`, isolated(name)) : isolated(name);
    return html`<li class="${outcome === 'no_finding' ? 'fine' : 'warning'}">${badge(outcome, t.text(`outcome.${outcome}`))}<p>${shown}</p><p>${t.text(`outcome-text.${outcome}`)}</p>${advice}${found.map((one) => translated(one, visit))}</li>`;
  });
  const contradictions = crossFindings(analysis.cross_checks).filter(({ finding }) => finding.strength !== 'context');
  return html`<ul class="amiss">${items}</ul>
${contradictions.length > 0 ? html`<p class="lead">${t.text('analysis.contradictions', { count: contradictions.length })}</p>${contradictions.map((one) => translated(one, visit))}` : undefined}
<p class="note">${t.text('analysis.decides')} ${t.text('analysis.in-english')}</p>`;
}
