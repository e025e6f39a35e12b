import { Readable } from 'node:stream';
import { html, isolated } from '../../../../core/html.ts';
import {
  MAX_REPORTS,
  MAX_VIEWER_LENGTH,
  NotShareable,
  readReportFile,
  revokeReport,
  shareReport,
  TooManyKept,
  TooManyReports,
} from '../../../../jobs/reports/reports.ts';
import { textIn } from '../../query.ts';
import { action, expectFound, Refused, readResults, type Visit } from '../../route.ts';
import { link, sectionLink } from '../../views/parts.ts';
import { both } from '../given.ts';
import { ownReport, reportOf } from './of-reader.ts';

export const reportActions = [
  action('/reports/:id/file', readResults, async (visit, parts) => {
    const { id } = await ownReport(visit, parts);
    const content = expectFound(await readReportFile(parts, id, visit), 'Report');
    return { fileName: `report-${id}.pdf`, content: Readable.from([content]), done: () => {} };
  }),
  action('/reports/:id/share', readResults, async (visit, parts) => {
    const { t, to, form, scope, actor } = visit;
    const { id, application_id } = await reportOf(visit, parts);
    const [viewer, days] = both(
      () => {
        const name = textIn(form, 'viewer');
        if (name === undefined || name.length > MAX_VIEWER_LENGTH)
          throw new Refused(400, t, 'refused.viewer', { limit: MAX_VIEWER_LENGTH }, 'viewer');
        return name;
      },
      () => {
        const count = Number(textIn(form, 'days'));
        if (!Number.isSafeInteger(count) || count < 1) throw new Refused(400, t, 'refused.share-days', {}, 'days');
        return count;
      },
    );
    const shared = await shareReport(parts, id, days, { scope, actor, viewer }).catch((error) => {
      throw refusalOf(error, t);
    });
    const main = html`<p class="lead">${t.rich('report.shared-text', { viewer, end: new Date(shared.expiresAt) })}</p>
<pre tabindex="0" translate="no">${parts.publicUrl()}/report/shared/${shared.token}</pre>
<p>${link(to(`reports/${shared.id}`), html`${t.text('report.looks')}: ${isolated(viewer)}`)}</p>`;
    return {
      title: t.text('report.shared'),
      above: [
        sectionLink(visit, 'applications'),
        link(to(`applications/${application_id}`), t.text('application')),
        link(to(`reports/${id}`), t.text('reports.title')),
      ],
      main,
    };
  }),
  action('/reports/:id/revoke', readResults, async (visit, parts) => {
    const { id } = await reportOf(visit, parts);
    const isRevoked = await revokeReport(parts, id, visit);
    return { goTo: `reports/${id}`, notice: isRevoked ? 'report-revoked' : 'unchanged' };
  }),
];

/** What a member reads when a report is not made. */
export function refusalOf(error: unknown, t: Visit['t']): unknown {
  if (error instanceof TooManyKept) return new Refused(409, t, 'refused.reports-kept', { limit: MAX_REPORTS });
  if (error instanceof TooManyReports) return new Refused(409, t, 'refused.reports-waiting');
  return error instanceof NotShareable ? new Refused(409, t, 'refused.report-open') : error;
}
