import { type Claim, MAX_CLAIMS, MAX_PAPERS, type Paper } from '../../claims.ts';
import { type Document, type Page, Unreadable } from '../../model.ts';
import { zonesIn } from '../ids/mrz.ts';
import { folded, OPENING } from '../labels.ts';
import { pageLabels } from '../page-labels.ts';
import { textOf } from '../read.ts';
import { wordLines } from '../words.ts';
import { letterPaper } from './letter.ts';
import { payslipPaper } from './payslip.ts';
import { nameWords, peopleIn } from './people.ts';
import { dayReader } from './period.ts';
import { statementPaper } from './statement.ts';
import { taxPaper } from './tax.ts';

/** The payslips, statements, letters of employers, tax assessments and identity documents in a file, as far as they are understood. */
export async function papersIn(document: Document): Promise<Paper[]> {
  try {
    const { pages, isRead } = await textOf(document);
    const found: Paper[] = [];
    const identity = await identityPaper(pages, isRead);
    if (identity) found.push(identity);
    const rest: Page[] = [];
    for (const page of pages) {
      const hasRoom = found.length < MAX_PAPERS;
      const paper = hasRoom
        ? (taxPaper(page, isRead) ?? (await payslipPaper(page, isRead)) ?? (await letterPaper(page, isRead)))
        : undefined;
      if (paper) found.push(paper);
      else rest.push(page);
    }
    for (const part of statementParts(rest)) {
      // The same array as in the rules, for which what they read is cached.
      const statement = await statementPaper(part.length === pages.length ? pages : part, isRead);
      if (statement) found.push(statement);
    }
    return found.slice(0, MAX_PAPERS).map((paper) => ({ ...paper, claims: paper.claims.slice(0, MAX_CLAIMS) }));
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}

/** Several statements in one file each begin with a page 1 and an opening balance. */
function statementParts(pages: readonly Page[]): Page[][] {
  const labels = pageLabels(wordLines(pages));
  const parts: Page[][] = [];
  for (const page of pages) {
    const opens = labels.get(page.number) === 1 && wordLines([page]).some(({ text }) => OPENING.test(folded(text)));
    const part = parts.at(-1);
    if (part === undefined || opens) parts.push([page]);
    else part.push(page);
  }
  return parts;
}

async function identityPaper(pages: readonly Page[], isRead: boolean): Promise<Paper | undefined> {
  const lines = wordLines(pages);
  const [zone] = await zonesIn(lines, isRead);
  const source = zone?.sources[0];
  if (zone === undefined || source === undefined) return undefined;
  const { lastName, firstName, birthDate } = zone.parsed.fields;
  const place = { page: source.page, box: source.box };
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const claims: Claim[] = [
    ...(name === '' ? [] : [{ kind: 'name' as const, value: nameWords(name).join(' '), text: name, ...place }]),
    ...(/^\d{6}$/.test(birthDate ?? '')
      ? [
          {
            kind: 'born' as const,
            value: (birthDate ?? '').replace(/(..)(..)(..)/, '$1-$2-$3'),
            text: birthDate ?? '',
            ...place,
          },
        ]
      : []),
    ...(await peopleIn(lines, dayReader(lines))).filter(({ kind }) => kind === 'id'),
  ];
  return { kind: 'identity', is_read: isRead, claims };
}
