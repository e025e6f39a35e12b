import type { Paper } from '../../claims.ts';
import type { Page } from '../../model.ts';
import { amountsIn } from '../amounts.ts';
import { labelledAmounts } from '../labelled-amounts.ts';
import { folded } from '../labels.ts';
import { TAX_AUTHORITY, TITLES } from '../terms/terms.ts';
import { wordLines } from '../words.ts';
import { amountClaim } from './payslip.ts';
import { claimAt } from './period.ts';

/** Income from work before tax, and the tax on it, as the authorities of eight countries name them. */
const FIGURES = [
  {
    kind: 'tax',
    label:
      /\b(?:festgesetzte (?:einkommen|lohn)steuer|income tax due|total tax(?: liability| due)?\b|cuota (?:resultante|liquida|diferencial)|quota (?:resultant|liquida)|montant de l.impot|impot sur le revenu net|imposta netta|vastgesteld bedrag|podatek nalezny|imposto liquidado|coleta liquida|slutlig skatt)/,
  },
  {
    kind: 'income',
    label:
      /\b(?:einkunfte aus nichtselbstandiger arbeit|bruttoarbeitslohn|pay from all employments|wages,? salaries|rendimientos del trabajo|rendiments del treball|salaires|redditi di lavoro dipendente|inkomsten uit werk|naleznosci ze stosunku pracy|rendimento global|inkomst av tjanst)/,
  },
] as const;

const YEAR = /\b20\d\d\b/;
/** Lines at the top of a page, among which its title is. */
const TOP = 24;

/** The tax assessment on a page: income from work and the tax on it; undefined without both, or without title and authority. */
export function taxPaper(page: Page, isRead: boolean): Paper | undefined {
  const lines = wordLines([page]);
  const top = lines.slice(0, TOP);
  const title = top.find(({ text }) => TITLES.tax_assessment.test(folded(text)));
  if (title === undefined || !lines.some(({ text }) => TAX_AUTHORITY.test(folded(text)))) return undefined;
  const found = labelledAmounts(lines, amountsIn(lines), FIGURES);
  const only = (wanted: (typeof FIGURES)[number]['kind']) => {
    const amounts = found.filter(({ kind }) => kind === wanted).map(({ amount }) => amount);
    return new Set(amounts.map(({ cents }) => cents)).size === 1 ? amounts[0] : undefined;
  };
  const [income, tax] = [only('income'), only('tax')];
  if (income === undefined || tax === undefined) return undefined;
  const year = YEAR.exec(title.text);
  const at = year && claimAt('year', year[0], title, { start: year.index, end: year.index + year[0].length });
  return {
    kind: 'tax',
    is_read: isRead,
    claims: [amountClaim('income', income), amountClaim('tax', tax), ...(at ? [at] : [])],
  };
}
