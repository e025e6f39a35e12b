import { type Html, html, isolated } from '../../../../core/html.ts';
import { findListedApplication } from '../../../../db/applications/application-lists.ts';
import { type ListedReport, listReports, listReportViews } from '../../../../db/reports/reports.ts';
import { DEFAULT_SHARE_DAYS, MAX_SHARE_DAYS, MAX_VIEWER_LENGTH, viewerOf } from '../../../../jobs/reports/reports.ts';
import { expectFound, type Parts, type ResultsPage, type Visit } from '../../route.ts';
import { actionForm, choice, field } from '../../views/forms.ts';
import { livePart } from '../../views/live.ts';
import { badge, type Column, code, facts, link, linkIn, moment, shortId, table } from '../../views/parts.ts';
import { timeline } from '../../views/timeline.ts';
import { actsOn } from '../acts.ts';
import { aboveIn } from '../applications/application-actions.ts';
import { isOfReader, reportOf } from './of-reader.ts';

const MAX_COPIES = 100;
const ACTS = ['report.act.make', 'report.act.read', 'report.act.share', 'report.act.revoke'] as const;
/** For how many days a link may be valid. */
const DAYS = [1, 7, DEFAULT_SHARE_DAYS, 30, MAX_SHARE_DAYS];

/** One copy: how far it is, reading and sharing it, and who looked. */
export const reportPage: ResultsPage = async (visit, parts) => {
  const { t, to, scope } = visit;
  const row = await reportOf(visit, parts);
  const application = expectFound(await findListedApplication(parts.db, scope, row.application_id), 'Application');
  const viewer = viewerOf(row, parts);
  const isShared = row.token_hash !== null;
  const main = html`${row.status === 'pending' ? progress(row, visit) : undefined}
${row.status === 'failed' ? html`<p class="lead">${t.text('report.failed')}</p>` : undefined}
${row.status === 'completed' && !isShared ? own(row, visit, parts) : undefined}
${facts([
  [t.text('report.number'), shortId(row.id)],
  [t.text('report.pages'), row.pages],
  [t.text('created'), moment(row.created_at)],
  [t.text('report.kind'), t.text(isShared ? 'report.kind-shared' : 'report.kind-own')],
  [t.text('report.link'), isShared ? linkState(row, visit) : null],
  [t.text('report.digest'), code(row.sha256)],
])}
${row.sha256 === null ? undefined : html`<p>${link(`${parts.publicUrl()}/report/verify?report=${row.id}`, t.text('report.verify'))}</p>`}
${isShared ? await looks(row, visit, parts) : await copies(row, visit, parts)}
<h2>${t.text('timeline.title')}</h2>
${timeline(t, await actsOn(visit, parts.db, row.id, ACTS))}`;
  return {
    title: t.text('report.title', { viewer }),
    heading: html`<span>${t.rich('report.title', { viewer })}</span> ${reportBadge(t, row)}`,
    above: [
      ...aboveIn(visit, application),
      link(to(`applications/${row.application_id}/reports`), t.text('reports.title')),
    ],
    main,
    isWaiting: row.status === 'pending',
  };
};

export function reportBadge(t: Visit['t'], { status }: ListedReport): Html {
  return badge(status, t.text(`report.state.${status}`));
}

function progress({ id, done, total }: ListedReport, { t, to }: Visit): Html {
  const steps = total === 0 ? t.text('report.waits') : t.text('report.progress', { done, total });
  const bar = html`<progress max="${Math.max(1, total)}" value="${done}" aria-label="${t.text('report.state.pending')}"></progress>`;
  return html`${livePart('progress', html`<p class="lead" role="status">${steps}</p>${bar}`)}
<p>${link(to(`reports/${id}`), t.text('report.look'))}</p>`;
}

/** Reading it, and for the person whose name is on its pages, the file. */
function own(row: ListedReport, visit: Visit, parts: Parts): Html {
  const { t } = visit;
  const file = isOfReader(row, visit, parts)
    ? actionForm(visit, { to: `reports/${row.id}/file`, label: t.text('report.download') })
    : html`<p>${t.rich('report.of-other', { viewer: viewerOf(row, parts) })}</p>
${actionForm(visit, { to: `applications/${row.application_id}/reports`, label: t.text('reports.make') })}`;
  return html`<p class="note">${t.text('report.recorded')}</p>
<p>${linkIn(visit, `reports/${row.id}/page`, t.text('report.read'))}</p>
${file}`;
}

function linkState({ token_expires_at, revoked_at }: ListedReport, { t, now }: Visit): Html {
  if (revoked_at !== null) return badge('revoked', t.text('report.link-revoked'));
  const end = token_expires_at ?? '';
  if (end <= now.toISOString()) return badge('expired', t.text('report.link-expired'));
  return badge('active', t.text('report.link-valid', { end: new Date(end) }));
}

/** The copies that were shared, and the form that shares another. */
async function copies(row: ListedReport, visit: Visit, parts: Parts): Promise<Html | undefined> {
  if (row.status !== 'completed') return undefined;
  const { t, to, scope } = visit;
  const rows = await listReports(parts.db, scope, { applicationId: row.application_id, limit: MAX_COPIES });
  const shared = rows.filter(({ made_from }) => made_from === row.id);
  const columns: readonly Column<ListedReport>[] = [
    [t.text('report.for'), (copy) => link(to(`reports/${copy.id}`), isolated(viewerOf(copy, parts)))],
    [t.text('report.link'), (copy) => linkState(copy, visit)],
    [t.text('created'), ({ created_at }) => moment(created_at)],
  ];
  const days = DAYS.map((count) => [String(count), t.text('report.days', { count })] as const);
  return html`<h2>${t.text('report.share')}</h2>
<p>${t.text('report.share-text')}</p>
${actionForm(visit, {
  to: `reports/${row.id}/share`,
  label: t.text('report.share-button'),
  fields: [
    field('viewer', t.text('report.share-with'), {
      hint: t.text('hint.viewer'),
      isRequired: true,
      maxLength: MAX_VIEWER_LENGTH,
    }),
    choice('days', t.text('report.share-days'), days, String(DEFAULT_SHARE_DAYS)),
  ],
})}
${table(t.text('report.copies'), columns, shared, t.text('report.copies-none'))}`;
}

/** The looks through the link of a copy. */
async function looks(row: ListedReport, visit: Visit, parts: Parts): Promise<Html> {
  const { t, now } = visit;
  const views = await listReportViews(parts.db, row.id);
  const isValid = row.revoked_at === null && (row.token_expires_at ?? '') > now.toISOString();
  const columns: readonly Column<(typeof views)[number]>[] = [
    [t.text('report.at'), ({ at }) => moment(at)],
    [t.text('report.what'), ({ what }) => t.text(`report.look-${what}`)],
  ];
  const final = { sure: t.rich('sure.link', { viewer: viewerOf(row, parts) }) };
  const end = actionForm(visit, { to: `reports/${row.id}/revoke`, label: t.text('report.revoke'), final });
  return html`${isValid && end ? html`<p>${t.text('report.revoke-text')}</p>${end}` : undefined}
<h2>${t.text('report.looks')}</h2>
<p class="note">${t.text('report.looks-text')}</p>
${table(t.text('report.looks'), columns, views, t.text('report.looks-none'))}`;
}
