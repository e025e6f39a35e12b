import { html, isolated } from '../../../../core/html.ts';
import { languageNames } from '../../../../core/texts/languages.ts';
import { reportLanguages } from '../../../../core/texts/report-texts.ts';
import { type ListedReport, listReports } from '../../../../db/reports/reports.ts';
import { requestReport, viewerOf } from '../../../../jobs/reports/reports.ts';
import { oneIn } from '../../query.ts';
import { action, page, type ResultsPage, readResults } from '../../route.ts';
import { actionForm, choice } from '../../views/forms.ts';
import { type Column, link, moment, table } from '../../views/parts.ts';
import { aboveIn, applicationOf } from '../applications/application-actions.ts';
import { reportPageRoutes } from './content.ts';
import { reportBadge, reportPage } from './report.ts';
import { refusalOf, reportActions } from './report-actions.ts';

const MAX_LISTED = 50;

/** The reports about an application, and the form that asks for one. */
const reportsPage: ResultsPage = async (visit, parts) => {
  const { t, to, scope } = visit;
  const application = await applicationOf(visit, parts);
  const rows = await listReports(parts.db, scope, { applicationId: application.id, limit: MAX_LISTED });
  const columns: readonly Column<ListedReport>[] = [
    [t.text('report.for'), (row) => link(to(`reports/${row.id}`), isolated(viewerOf(row, parts)))],
    [t.text('state'), (row) => reportBadge(t, row)],
    [t.text('report.kind'), (row) => t.text(row.token_hash === null ? 'report.kind-own' : 'report.kind-shared')],
    [t.text('created'), (row) => moment(row.created_at)],
  ];
  const languages = [
    ['', t.text('report.language-landlord')] as const,
    ...reportLanguages.map((language) => [language, languageNames[language]] as const),
  ];
  const name = application.title || t.text('application.untitled');
  const main = html`<p class="lead">${t.text('reports.text')}</p>
${actionForm(visit, {
  to: `applications/${application.id}/reports`,
  label: t.text('reports.make'),
  fields: [choice('language', t.text('account.language'), languages, '')],
})}
${table(t.text('reports.caption'), columns, rows, t.text('reports.none'))}`;
  return {
    title: `${t.text('reports.title')} · ${name}`,
    heading: html`${t.text('reports.title')}`,
    above: aboveIn(visit, application),
    main,
  };
};

export const reportRoutes = [
  page('/applications/:id/reports', readResults, reportsPage),
  action('/applications/:id/reports', readResults, async (visit, parts) => {
    const { form, scope, actor, visitor, t } = visit;
    const { id } = await applicationOf(visit, parts);
    const language = oneIn(form, 'language', reportLanguages);
    const by = { scope, actor, viewer: visitor.name };
    const report = await requestReport(parts, id, language, by).catch((error) => {
      throw refusalOf(error, t);
    });
    return { goTo: `reports/${report}`, notice: 'report-made' };
  }),
  page('/reports/:id', readResults, reportPage),
  ...reportPageRoutes,
  ...reportActions,
];
