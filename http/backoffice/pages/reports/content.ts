import { html } from '../../../../core/html.ts';
import { pictureName, reportMarkup } from '../../../../core/reports/in-markup.ts';
import { readLanguage } from '../../../../core/texts/languages.ts';
import { reportTextsOf } from '../../../../core/texts/report-texts.ts';
import { listParticipants } from '../../../../db/applications/application-lists.ts';
import { showLook } from '../../../../jobs/privacy/looks.ts';
import { findReportPicture, readReportContent } from '../../../../jobs/reports/reports.ts';
import { textIn } from '../../query.ts';
import { expectFound, file, page, type ResultsPage, readResults } from '../../route.ts';
import { link } from '../../views/parts.ts';
import { aboveIn } from '../applications/application-actions.ts';
import { finishedReport } from './of-reader.ts';

/** What a report says, in its own language. */
const contentPage: ResultsPage = async (visit, parts) => {
  const { t, to, scope, actor, visitor } = visit;
  const { id, application_id, api_key_id, language } = await finishedReport(visit, parts);
  const content = expectFound(await readReportContent(parts, id, { scope, actor }), 'Report');
  const people = (await listParticipants(parts.db, application_id)).filter(({ removed_at }) => removed_at === null);
  const about = people.flatMap(({ tenant_id }) => (tenant_id === null ? [] : [{ tenant_id, api_key_id }]));
  await showLook(parts.db, visit, 'report', about);
  const words = reportTextsOf(readLanguage(language) ?? 'en');
  const title = words.text('report.of', { title: content.application.title || content.application.id });
  const main = html`<div class="sheet" lang="${words.language}" dir="${words.direction}"><h1>${title}</h1>
<p class="lead">${words.rich('report.made', { at: new Date(content.madeAt), viewer: visitor.name })}</p>
${reportMarkup(words, content, (...place) => to(`reports/${id}/picture?of=${pictureName(...place)}`))}</div>`;
  return {
    title,
    heading: false,
    above: [
      ...aboveIn(visit, { id: application_id, title: content.application.title }),
      link(to(`reports/${id}`), t.text('reports.title')),
    ],
    main,
  };
};

export const reportPageRoutes = [
  page('/reports/:id/page', readResults, contentPage),
  file('/reports/:id/picture', readResults, async (visit, parts) => {
    const { id } = await finishedReport(visit, parts);
    const content = await findReportPicture(parts, id, visit.scope, textIn(visit.query, 'of') ?? pictureName(0, 0, 1));
    return { type: 'image/jpeg', content, policy: "default-src 'none'; sandbox" };
  }),
];
