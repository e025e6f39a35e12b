import type { FindingPlace } from '@tenant-screening/forensics/report/parts';
import { type Html, html, isolated } from '../../../core/html.ts';
import { DECISIONS } from '../../../db/documents/finding-decisions.ts';
import { DECISION_WORDS, type ReadDecision } from '../../../jobs/documents/decide-finding.ts';
import type { Visit } from '../route.ts';
import { actionForm, choice } from './forms.ts';
import { moment } from './parts.ts';

/** The decisions on a finding, and the form for a new one. @param shown the position of the document on the page */
export function decisionsOn(
  { documentId, check, finding }: FindingPlace,
  decisions: readonly ReadDecision[],
  visit: Visit,
  shown: string,
): Html {
  const number = 1 + (check.findings ?? []).indexOf(finding);
  const ofThis = decisions.filter(
    (one) => one.document_id === (documentId ?? null) && one.rule === check.rule && one.finding === number,
  );
  const hidden = { document: documentId ?? '', rule: check.rule, finding: number, shown };
  const fields = html`${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${choice(
  'decision',
  'Decision',
  DECISIONS.map((one) => [one, DECISION_WORDS[one]] as const),
  'confirmed',
)}
<label>Reason<textarea name="reason" required maxlength="1000" rows="2"></textarea></label>`;
  const form = actionForm(visit, { to: `analyses/${visit.param('id')}/decide`, label: 'Record it', fields });
  const known = ofThis.map(
    (one) =>
      html`<li><b>${DECISION_WORDS[one.decision]}</b>: ${isolated(one.reason)} <span class="soft">${moment(one.decided_at)} by ${isolated(one.decided_by)}</span></li>`,
  );
  const open =
    form &&
    html`<details class="decide"><summary>${ofThis.length > 0 ? 'Decide again' : 'Decide'}</summary>${form}</details>`;
  return html`${known.length > 0 ? html`<ul class="decisions">${known}</ul>` : undefined}${open}`;
}
