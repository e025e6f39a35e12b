import type { Look } from '../../analysis.ts';
import ca from './ca.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import sv from './sv.json' with { type: 'json' };

/** The terms of one language, without accents, as parts of regular expressions. */
interface Terms {
  /** A payslip's totals; `paid` is the amount paid, other than net pay. */
  pay: Readonly<Record<'gross' | 'deductions' | 'net' | 'paid', readonly string[]>>;
  /** What each kind of document calls itself at the top of its first page. */
  titles: Readonly<Record<Look, readonly string[]>>;
  /** Authorities that issue tax assessments, as their letterheads name them. */
  tax_authority: readonly string[];
}

const LANGUAGES: readonly Terms[] = [en, de, fr, es, it, pt, nl, pl, sv, ca];

/** Matches the names of a total in any language, in folded text. */
export function payTerm(kind: keyof Terms['pay']): RegExp {
  return new RegExp(`\\b(?:${LANGUAGES.flatMap(({ pay }) => pay[kind]).join('|')})\\b`);
}

/** Matches the titles of a kind of document in any language, in folded text. */
export const TITLES: Readonly<Record<Look, RegExp>> = {
  payslip: titleOf('payslip'),
  bank_statement: titleOf('bank_statement'),
  identity: titleOf('identity'),
  employment_letter: titleOf('employment_letter'),
  tax_assessment: titleOf('tax_assessment'),
};

export const TAX_AUTHORITY = new RegExp(
  `\\b(?:${LANGUAGES.flatMap(({ tax_authority: names }) => names).join('|')})\\b`,
);

function titleOf(look: Look): RegExp {
  return new RegExp(`(?<![\\p{L}])(?:${LANGUAGES.flatMap(({ titles }) => titles[look]).join('|')})`, 'u');
}
