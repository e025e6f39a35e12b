import type { FindingPlace } from '@tenant-screening/forensics/report/parts';
import { type Html, html, isolated } from '../../../core/html.ts';
import { DECISIONS } from '../../../db/documents/finding-decisions.ts';
import { MAX_REASON_LENGTH, type ReadDecision } from '../../../jobs/documents/decide-finding.ts';
import type { Visit } from '../route.ts';
import { actionForm, choice, hidden, opening, sentences } from './forms.ts';
import { moment } from './parts.ts';

/** The decisions on a finding, and the form for a new one. @param shown the position of the document on the page */
export function decisionsOn(
  { documentId, check, finding }: FindingPlace,
  decisions: readonly ReadDecision[],
  visit: Visit,
  shown: string,
): Html {
  const { t } = visit;
  const number = 1 + (check.findings ?? []).indexOf(finding);
  const ofThis = decisions.filter(
    (one) => one.document_id === (documentId ?? null) && one.rule === check.rule && one.finding === number,
  );
  const options = DECISIONS.map((one) => [one, t.text(`decision.${one}`)] as const);
  const fields = [
    hidden({ document: documentId ?? '', rule: check.rule, finding: String(number), shown }),
    choice('decision', t.text('decision'), options, 'confirmed'),
    sentences('reason', t.text('reason'), MAX_REASON_LENGTH),
  ];
  const form = actionForm(visit, {
    to: `analyses/${visit.param('id')}/decide`,
    label: t.text('decision.record'),
    fields,
  });
  const known = ofThis.map(
    (one) =>
      html`<li><b>${t.text(`decision.${one.decision}`)}</b>: ${isolated(one.reason)} <span class="soft">${moment(one.decided_at)} ${byWhom(one, visit)}</span></li>`,
  );
  const summary = t.text(ofThis.length > 0 ? 'decision.again' : 'decision.decide');
  const open = form && opening(summary, form, 'decide');
  const list = known.length > 0 ? html`<ul class="decisions">${known}</ul>` : undefined;
  return html`<div lang="${t.language}" dir="${t.direction}">${list}${open}</div>`;
}

const MEMBER_ID = /^[0-9a-f-]{36}$/;

/** Operators are not named to landlords; members are known by ids without names. */
function byWhom({ decided_by }: ReadDecision, { scope, t }: Visit): Html {
  if (MEMBER_ID.test(decided_by)) return html`${t.text('actor.member')}`;
  return scope.of === 'all landlords' ? html`by ${isolated(decided_by)}` : html`${t.text('actor.operator')}`;
}
