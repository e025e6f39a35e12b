import { identityLines, identityOf } from '../data/identity.ts';
import { daysLater, type Locale, locales, tags } from '../data/locale.ts';
import { payslipOf } from '../data/payslip.ts';
import { statementOf } from '../data/statement.ts';
import { statementWords } from '../data/words.ts';
import type { Drawing } from '../drawing.ts';
import { drawForm, legalForms } from '../forms/index.ts';
import { pictureDrawing, resolution, scans } from '../genuine/scanned.ts';
import { drawIdentity } from '../layouts/identities.ts';
import { drawAssessment, drawEmployment } from '../layouts/letters.ts';
import { drawPayslip, payslipLayouts } from '../layouts/payslips.ts';
import { drawStatement, statementLayouts } from '../layouts/statements.ts';
import { rasterised } from '../pdf/raster.ts';
import { jpeg } from '../pictures/pixels.ts';
import { portrait } from '../pictures/portrait.ts';
import { photoView, seen } from '../pictures/scene.ts';
import { screenshot, throughMessenger } from '../pictures/taken.ts';
import { pdfkitEmbedded } from '../producers/pdfkit.ts';
import { type Random, randomOf } from '../random.ts';

export const handedTypes = ['payslip', 'bank_statement', 'identity', 'employment_letter', 'tax_assessment'] as const;
export type HandedType = (typeof handedTypes)[number];

export type ExpectedAnswer = 'look' | 'old' | 'expired' | 'pages' | 'photo' | 'same';

/** A file as people hand it in, what they say that it is, and which answers are right. */
export interface HandedFile {
  name: string;
  bytes: Uint8Array;
  says: HandedType;
  is: HandedType;
  /** These answers must be given, and the others may; nothing else is right. */
  must: ExpectedAnswer[];
  may: ExpectedAnswer[];
  /** The pages that were taken out. */
  lost: number[];
}

/** The day on which they hand it in. */
export const HANDED_IN = '2026-11-16';
const today = new Date(`${HANDED_IN}T00:00:00Z`);

const cases = [
  ...(['right', 'right', 'other-kind', 'other-kind', 'old', 'lost-page', 'photo', 'screenshot'] as const),
  ...(['right', 'scan', 'expired', 'lost-page', 'photo-of-other-kind', 'legal-form', 'counted'] as const),
] as const;
export type HandedCase = (typeof cases)[number];

/** The numbered file of an endless mixture. */
export async function handedFile(seed: string, index: number): Promise<HandedFile> {
  const how = cases[index % cases.length] ?? 'right';
  const random = randomOf('handed in', seed, index);
  const tag = tags[(index + Math.floor(index / tags.length)) % tags.length] ?? 'de';
  const name = `${String(index).padStart(3, '0')} ${tag} ${how}`;
  return { name, ...(await made(how, locales[tag], random, index)) };
}

type Made = Omit<HandedFile, 'name'>;

const plain = { must: [], may: [], lost: [] };

async function made(how: HandedCase, locale: Locale, random: Random, index: number): Promise<Made> {
  const turn = handedTypes[Math.floor(index / cases.length) % handedTypes.length] ?? 'payslip';
  const dated = random.pick(['payslip', 'bank_statement'] as const);
  const written = async (is: HandedType, monthsAgo = 1) => write(await drawn(is, locale, monthsAgo, random), random);
  switch (how) {
    case 'right':
      return { ...plain, bytes: await written(turn), says: turn, is: turn };
    case 'other-kind': {
      const says = random.pick(handedTypes.filter((type) => type !== turn));
      return { ...plain, bytes: await written(turn), says, is: turn, must: ['look'], may: ['old'] };
    }
    case 'old': {
      const bytes = await written(dated, random.integer(5, 22));
      return { ...plain, bytes, says: dated, is: dated, must: ['old'] };
    }
    case 'lost-page':
      return lostPage(locale, random);
    case 'counted': {
      const drawing = await statement(locale, 1, random, random.integer(50, 75));
      const bytes = await write(numbered(drawing, locale), random);
      return { ...plain, bytes, says: 'bank_statement', is: 'bank_statement' };
    }
    case 'photo': {
      const bytes = await photo(await drawn(dated, locale, 1, random), random);
      // Only the first page is photographed.
      return { ...plain, bytes, says: dated, is: dated, must: ['photo'], may: ['pages'] };
    }
    case 'photo-of-other-kind': {
      const says = dated === 'payslip' ? 'bank_statement' : 'payslip';
      const bytes = await photo(await drawn(dated, locale, 1, random), random);
      return { ...plain, bytes, says, is: dated, must: ['photo'], may: ['look', 'pages'] };
    }
    case 'screenshot': {
      const [page] = await rasterised(await written(dated), 1.6);
      if (!page) throw new Error('No page.');
      return {
        ...plain,
        bytes: await screenshot(page, random),
        says: dated,
        is: dated,
        must: ['photo'],
        may: ['pages'],
      };
    }
    case 'scan': {
      const drawing = await drawn(dated, locale, 1, random);
      const pictures = await scans(await write(drawing, random), resolution(random), random);
      const jpegs = await Promise.all(pictures.map((picture) => jpeg(picture, 75)));
      const bytes = await write(pictureDrawing(drawing, jpegs), random);
      return { ...plain, bytes, says: dated, is: dated, must: ['photo'] };
    }
    case 'expired': {
      const bytes = await write(await identity(locale, random, -random.integer(20, 900)), random);
      return { ...plain, bytes, says: 'identity', is: 'identity', must: ['expired'] };
    }
    case 'legal-form': {
      const form = random.pick(legalForms.filter(({ isHeldOut }) => !isHeldOut));
      const { drawing } = drawForm(form, `handed ${index}`, 'none');
      // Their months are invented: they may be old.
      return { ...plain, bytes: await write(drawing, random), says: 'payslip', is: 'payslip', may: ['old'] };
    }
  }
}

async function drawn(is: HandedType, locale: Locale, monthsAgo: number, random: Random): Promise<Drawing> {
  const day = daysLater(monthStart(monthsAgo), random.integer(1, 20));
  switch (is) {
    case 'payslip': {
      const month = monthStart(monthsAgo);
      const slip = { ...payslipOf(locale, random), month, payday: daysLater(month, 27) };
      return drawPayslip(slip, random.pick(payslipLayouts.filter((layout) => fits(layout, locale))), random);
    }
    case 'bank_statement':
      return statement(locale, monthsAgo, random, random.integer(9, 25));
    case 'identity':
      return identity(locale, random, random.integer(60, 3000));
    case 'employment_letter':
      return drawEmployment(locale, day, random);
    case 'tax_assessment':
      return drawAssessment(locale, day, random);
  }
}

async function statement(locale: Locale, monthsAgo: number, random: Random, rows: number): Promise<Drawing> {
  const made = statementOf(locale, random, rows);
  const from = monthStart(monthsAgo);
  const moved = (date: Date) => daysLater(from, Math.round((date.getTime() - made.from.getTime()) / 86_400_000));
  const movements = made.movements.map((one) => ({ ...one, date: moved(one.date), valueDate: moved(one.valueDate) }));
  const number = `${from.getUTCMonth() + 1}/${from.getUTCFullYear()}`;
  const layout = random.pick(statementLayouts.filter((name) => fits(name, locale)));
  return drawStatement({ ...made, number, from, to: daysLater(from, 27), movements }, layout, random);
}

/** @param days from now until it expires */
async function identity(locale: Locale, random: Random, days: number): Promise<Drawing> {
  const expires = daysLater(today, days);
  const card = { ...identityOf(locale, random), expires, issued: daysLater(expires, -3652) };
  return drawIdentity({ ...card, mrz: identityLines(card) }, await portrait(random));
}

async function lostPage(locale: Locale, random: Random): Promise<Made> {
  const is = 'bank_statement' as const;
  for (let attempt = 0; ; attempt += 1) {
    const whole = await statement(locale, 1, random.fork(`attempt ${attempt}`), random.integer(60, 75));
    const count = whole.sheets.length;
    if (count < 2) continue;
    // Without totals, only a page in between, or the first, leaves a gap.
    const isCounted = random.chance(0.5) || count < 3;
    const lost = isCounted ? random.integer(1, count) : random.integer(1, count - 1);
    const drawing = isCounted ? numbered(whole, locale) : whole;
    const sheets = drawing.sheets.filter((_, at) => at !== lost - 1);
    return {
      says: is,
      is,
      bytes: await write({ ...drawing, sheets, targets: [] }, random),
      must: ['pages'],
      may: [],
      lost: [lost],
    };
  }
}

const of: Partial<Record<Locale['tag'], string>> = {
  ...{ de: 'von', 'en-GB': 'of', 'en-US': 'of', es: 'de', fr: 'sur', it: 'di', nl: 'van', pl: 'z', pt: 'de' },
};

/** With the total beside each page's number. */
function numbered(drawing: Drawing, { tag }: Locale): Drawing {
  const { page } = statementWords(tag);
  const label = new RegExp(`${page} \\d+$`);
  const total = drawing.sheets.length;
  const sheets = drawing.sheets.map((sheet) => ({
    ...sheet,
    marks: sheet.marks.map((mark) =>
      mark.kind === 'text' && label.test(mark.text)
        ? { ...mark, text: `${mark.text} ${of[tag] ?? 'of'} ${total}` }
        : mark,
    ),
  }));
  return { ...drawing, sheets };
}

async function photo(drawing: Drawing, random: Random): Promise<Uint8Array> {
  const [page] = await rasterised(
    await write({ ...drawing, sheets: drawing.sheets.slice(0, 1), targets: [] }, random),
    2.2,
  );
  if (!page) throw new Error('No page.');
  const view = await photoView(page.width / page.height, random, 3_000_000);
  const bytes = await jpeg(await seen(page, view, random), random.integer(86, 96));
  return random.chance(0.3) ? throughMessenger(bytes, random) : bytes;
}

function write(drawing: Drawing, random: Random): Promise<Uint8Array> {
  return pdfkitEmbedded.write(drawing, today, random);
}

function monthStart(monthsAgo: number): Date {
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, 1));
}

function fits(layout: string, { western }: Locale): boolean {
  return western || !['mainframe', 'suffix', 'form'].includes(layout);
}
