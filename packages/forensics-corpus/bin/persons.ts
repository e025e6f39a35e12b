/**
 * `node packages/forensics-corpus/bin/persons.ts --seed 1 --count 2`: for how many payslips with a changed name or employer that leaves a
 * trace both names are named, in how many sets of an applicant's documents a forgery is found, and how many genuine ones are accused.
 */
import { parseArgs } from 'node:util';
import { compareDocuments } from '@tenant-screening/forensics/compare';
import { openDocument } from '@tenant-screening/forensics/open-document';
import { papersIn } from '@tenant-screening/forensics/papers';
import { rules } from '@tenant-screening/forensics/rules';
import { accusationsIn, isNamedIn } from '../accusations.ts';
import { locales } from '../data/locale.ts';
import { payslipOf } from '../data/payslip.ts';
import { employerOf, personOf } from '../data/people.ts';
import type { Drawing } from '../drawing.ts';
import { drawPayslip, payslipLayouts } from '../layouts/payslips.ts';
import { statementLayouts } from '../layouts/statements.ts';
import { producers } from '../producers/index.ts';
import { type Random, randomOf } from '../random.ts';
import { type Applicant, applicantOf, circumstances } from '../sets/applicant.ts';
import { forgeries } from '../sets/forgeries.ts';
import { writtenSet } from '../sets/written.ts';
import { nameForgeries, OTHER_PLACES } from '../tampered/names.ts';

const TAGS = ['de', 'en-GB', 'fr', 'es', 'it'] as const;
const CREATED = new Date(Date.UTC(2025, 2, 28));

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '2' } },
});
const rounds = Number(values.count);

for (const who of ['employee', 'employer'] as const) await measureNames(who);
await measureSets();

async function measureNames(who: 'employee' | 'employer'): Promise<void> {
  const genuine = tallyOf(`genuine payslips, ${who}`);
  const changed = tallyOf(`changed ${who}, caught`);
  const named = tallyOf(`changed ${who}, both named`);
  for (let round = 0; round < rounds; round++)
    for (const [index, tag] of TAGS.entries()) {
      const random = randomOf('persons', values.seed, who, round, tag);
      const slip = payslipOf(locales[tag], random);
      const layout = random.pick(payslipLayouts);
      const drawing = drawPayslip(slip, layout, random);
      const other = personOf(TAGS[(index + 1) % TAGS.length] ?? tag, random);
      const before = who === 'employer' ? slip.employer : `${slip.employee.given} ${slip.employee.family}`;
      const after = who === 'employer' ? otherEmployer(before, tag, random) : `${other.given} ${other.family}`;
      const producer = random.pick(producers);
      const of = `${tag} ${layout} ${producer.name}`;
      const found = await accusationsIn(await producer.write(drawing, CREATED, random), rules);
      genuine.add(found.length > 0, of, found);
      for (const [way, forge] of Object.entries(nameForgeries)) {
        // Without another place, nothing of the former name is left.
        if (way === OTHER_PLACES && timesOn(drawing, before) < 2) continue;
        const told = await accusationsIn(await forge({ drawing, before, after, producer, random }), rules);
        const where = `${of} ${way}: ${before} -> ${after}`;
        changed.add(told.length > 0, where, told);
        named.add(told.length > 0 && [before, after].every((name) => isNamedIn(told.join(' '), name)), where, told);
      }
    }
  genuine.tell('accused');
  changed.tell('missed');
  named.tell('missed');
}

function timesOn({ sheets }: Drawing, name: string): number {
  return sheets.flatMap(({ marks }) => marks).filter((mark) => mark.kind === 'text' && mark.text.includes(name)).length;
}

function otherEmployer(before: string, tag: (typeof TAGS)[number], random: Random): string {
  for (;;) {
    const other = employerOf(tag, random);
    if (other !== before) return other;
  }
}

async function measureSets(): Promise<void> {
  const honest = tallyOf('honest sets');
  const forged = new Map(TAGS.map((tag) => [tag, tallyOf(`forged sets, ${tag}`)]));
  for (let round = 0; round < rounds; round++)
    for (const tag of TAGS) {
      const random = randomOf('sets', values.seed, round, tag);
      const looks = {
        payslip: random.pick(payslipLayouts),
        statement: random.pick(statementLayouts),
        producer: random.pick(producers),
      };
      const of = `${tag} ${looks.payslip} ${looks.statement} ${looks.producer.name}`;
      for (const how of circumstances) {
        const { found } = await read(applicantOf(tag, how, random.fork(how)), looks, random.fork('files'));
        honest.add(found.length > 0, `${of} ${how}`, found);
      }
      for (const [name, { change }] of Object.entries(forgeries)) {
        const set = applicantOf(tag, 'plain', random.fork(name));
        const before = await read(set, looks, random.fork('files'));
        const { texts, found } = await read(change(set, random.fork('change')), looks, random.fork('files'));
        // Not every layout shows the value.
        if (texts !== before.texts) forged.get(tag)?.add(found.length > 0, `${of} ${name}`, found);
      }
    }
  honest.tell('accused');
  for (const tally of forged.values()) tally.tell('missed');
}

/** What the documents of a set show, and the contradictions between them. */
async function read(set: Applicant, looks: Parameters<typeof writtenSet>[1], random: Random) {
  const papers = [];
  const texts: string[] = [];
  for (const { name, bytes } of await writtenSet(set, looks, random)) {
    const { document } = await openDocument(name, bytes, { ocr: false, ocrSeconds: 0 });
    if (document === undefined) continue;
    for (const { items } of await document.pages()) texts.push(...items.map(({ text }) => text));
    papers.push(...(await papersIn(document)).map((paper) => ({ ...paper, document_id: name, name })));
  }
  const found = compareDocuments(papers)
    .flatMap(({ findings = [] }) => findings)
    .filter(({ strength }) => strength !== 'context')
    .map(({ message }) => message);
  return { texts: texts.join(' '), found };
}

/** Counts cases, and lists the wrong ones. */
function tallyOf(title: string) {
  const cases: { of: string; isHit: boolean; found: readonly string[] }[] = [];
  return {
    add(isHit: boolean, of: string, found: readonly string[]) {
      cases.push({ isHit, of, found });
    },
    tell(listed: 'accused' | 'missed') {
      const hits = cases.filter(({ isHit }) => isHit);
      console.log(`${title}: ${hits.length} of ${cases.length}`);
      for (const { of, isHit, found } of cases)
        if (isHit === (listed === 'accused')) console.log(`  ${listed}  ${of}  ${found.join(' | ')}`);
    },
  };
}
