import { rules } from '@tenant-screening/forensics/rules';
import { expect } from 'chai';
import { accusationsIn, isNamedIn } from '../../accusations.ts';
import { personOf } from '../../data/people.ts';
import { payslipWords } from '../../data/words.ts';
import { Pen } from '../../drawing.ts';
import { producers } from '../../producers/index.ts';
import { randomOf } from '../../random.ts';
import { nameForgeries } from '../../tampered/names.ts';

const TAGS = ['de', 'en-GB', 'fr', 'es', 'it'] as const;
const AFTER = 'Robert Maler';
const ABOUT_NAMES = rules.filter(({ name }) =>
  /^(?:covered-text|hidden-original|foreign-font|font-outlier|other-hand|pictured-value|names-agree|text-as-shown)$/.test(
    name,
  ),
);

/** A payslip whose employee stands in the address, beside a label and at the account. */
function victimOf(tag: (typeof TAGS)[number], index: number) {
  const random = randomOf('names', tag, index);
  const { given, family, street, city } = personOf(tag, random);
  const words = payslipWords(tag);
  const before = `${given} ${family}`;
  const pen = new Pen();
  pen.newSheet();
  for (const [row, text] of [before, street, city].entries()) pen.text(60, 110 + 14 * row, text, { size: 10 });
  const rows = [
    [words.employee, before],
    ['Ref.', '4711'],
    [words.base, '3.250,00'],
    [words.gross, '3.250,00'],
    [words.tax, '512,40'],
    [words.pension, '302,25'],
    [words.health, '290,24'],
    [words.deductions, '1.104,89'],
    [words.net, '2.145,11'],
  ];
  for (const [row, [label = '', value = '']] of rows.entries()) {
    pen.text(60, 200 + 18 * row, label);
    pen.text(220, 200 + 18 * row, value);
  }
  const producer = producers[index % producers.length] ?? random.pick(producers);
  return { drawing: pen.done('Payslip', true), before, after: AFTER, producer, random };
}

describe('a name that was changed on a payslip', () => {
  for (const [way, forge] of Object.entries(nameForgeries))
    it(`is named with the former one where it is still ${way}`, async () => {
      const missed: string[] = [];
      for (const [index, tag] of TAGS.entries()) {
        const victim = victimOf(tag, index);
        const found = (await accusationsIn(await forge(victim), ABOUT_NAMES)).join('\n');
        if (!isNamedIn(found, victim.before) || !isNamedIn(found, AFTER))
          missed.push(`${tag}, ${victim.producer.name}: ${found}`);
      }
      expect(missed.length, missed.join('; ')).to.be.at.most(Math.floor(TAGS.length * 0.2));
    });

  it('accuses no genuine one', async () => {
    for (const [index, tag] of TAGS.entries()) {
      const { drawing, producer, random } = victimOf(tag, index);
      const bytes = await producer.write(drawing, new Date(Date.UTC(2025, 2, 28)), random);
      expect(await accusationsIn(bytes, ABOUT_NAMES), `${tag}, ${producer.name}`).to.deep.equal([]);
    }
  });
});
