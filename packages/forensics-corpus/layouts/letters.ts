import { letterWords } from '../data/letter-words.ts';
import { dateText, figure, type Locale } from '../data/locale.ts';
import { employerOf, personOf } from '../data/people.ts';
import { type Drawing, Pen } from '../drawing.ts';
import type { Random } from '../random.ts';

/** A contract, or a letter of the employer, on one page. */
export function drawEmployment(locale: Locale, day: Date, random: Random): Drawing {
  const words = letterWords[locale.tag];
  const { given, family, street, city } = personOf(locale.tag, random);
  const firm = employerOf(locale.tag, random);
  const title = random.pick([words.contract, words.letter]);
  const values: Record<string, string> = {
    name: `${given} ${family}`,
    firm,
    pay: `${figure(random.integer(210_000, 690_000), locale)} ${locale.currency}`,
    day: dateText(day, locale.date),
  };
  const pen = new Pen();
  pen.text(60, 60, firm, { size: 12, face: 'sans-bold' });
  pen.text(60, 110, `${given} ${family}`);
  pen.text(60, 124, street);
  pen.text(60, 138, city);
  pen.text(520, 160, dateText(day, locale.date), { align: 'right' });
  pen.text(60, 200, title, { size: random.pick([11, 14, 16]), face: 'sans-bold' });
  words.sentences.forEach((sentence, index) => {
    const text = sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    pen.text(60, 240 + index * 22, text, { size: 9.5 });
  });
  pen.text(60, 380, firm);
  return pen.done(title, locale.western);
}

/**
 * An assessment by the tax authority, on one page.
 * @param amounts of work income, taxable income and tax; by chance when they do not matter
 */
export function drawAssessment(locale: Locale, day: Date, random: Random, amounts?: readonly number[]): Drawing {
  const words = letterWords[locale.tag];
  const { given, family, street, city } = personOf(locale.tag, random);
  const pen = new Pen();
  pen.text(60, 56, words.authority, { size: 13, face: 'serif-bold' });
  pen.text(60, 110, `${given} ${family}`, { face: 'serif' });
  pen.text(60, 124, street, { face: 'serif' });
  pen.text(60, 138, city, { face: 'serif' });
  pen.text(520, 110, dateText(day, locale.date), { align: 'right', face: 'serif' });
  pen.text(60, 190, words.assessment, { size: random.pick([10, 12]), face: 'serif-bold' });
  words.figures.forEach((label, index) => {
    pen.text(60, 230 + index * 20, label, { face: 'serif' });
    pen.text(520, 230 + index * 20, figure(amounts?.[index] ?? random.integer(400_000, 6_000_000), locale), {
      align: 'right',
      face: 'serif',
    });
  });
  return pen.done(words.assessment, locale.western);
}
