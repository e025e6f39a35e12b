import type { Identity } from '../data/identity.ts';
import { dateText } from '../data/locale.ts';
import { type Drawing, Pen } from '../drawing.ts';

const titles: Record<string, [card: string, passport: string]> = {
  DE: ['PERSONALAUSWEIS', 'REISEPASS'],
  GB: ['IDENTITY CARD', 'PASSPORT'],
  US: ['IDENTIFICATION CARD', 'PASSPORT'],
  ES: ['DOCUMENTO NACIONAL DE IDENTIDAD', 'PASAPORTE'],
  FR: ["CARTE NATIONALE D'IDENTITÉ", 'PASSEPORT'],
  IT: ["CARTA D'IDENTITÀ", 'PASSAPORTO'],
  NL: ['IDENTITEITSKAART', 'PASPOORT'],
  PL: ['DOWÓD OSOBISTY', 'PASZPORT'],
  PT: ['CARTÃO DE CIDADÃO', 'PASSAPORTE'],
};

/** The page with the machine-readable lines, at twice the real size. @param portrait a JPEG */
export function drawIdentity(identity: Identity, portrait: Uint8Array): Drawing {
  const { format, locale } = identity;
  const title = titles[locale.country]?.[format === 'TD1' ? 0 : 1] ?? 'PASSPORT';
  const pen = format === 'TD1' ? new Pen(486, 306) : new Pen(708, 498);
  pen.rect(0, 0, 708, 498, [0.86, 0.91, 0.93]);
  for (let stripe = 0; stripe < 12; stripe += 1) pen.rect(0, stripe * 42, 708, 14, [0.83, 0.9, 0.9]);
  pen.text(24, 32, title, { size: 16, face: 'sans-bold', colour: [0.1, 0.2, 0.4] });
  const height = format === 'TD1' ? 150 : 230;
  pen.marks.push({ kind: 'picture', x: 24, y: 46, width: height * 0.78, height, bytes: portrait, type: 'jpeg' });
  drawFields(pen, identity, height * 0.78 + 48);
  const size = format === 'TD1' ? 20 : 25;
  const top = format === 'TD1' ? 232 : 440;
  pen.rect(0, top - 26, 708, 300, [0.95, 0.96, 0.97]);
  identity.mrz.forEach((line, index) => {
    const y = top + index * size * 1.25;
    if (/\d{6}/.test(line)) pen.target('mrz', true, 26, y, line, { size, face: 'mono-bold' });
    else pen.text(26, y, line, { size, face: 'mono-bold' });
  });
  return pen.done(title, locale.western);
}

function drawFields(pen: Pen, identity: Identity, left: number): void {
  const { person, number, sex, state, expires, issued, format } = identity;
  const day = (date: Date) => dateText(date, 'dd.mm.yyyy');
  const [size, step] = format === 'TD1' ? [11, 25] : [14, 38];
  const field = (row: number, column: number, label: string, value: string, name?: 'name' | 'date' | 'number') => {
    const x = left + column * size * 11;
    const y = 62 + row * step;
    pen.text(x, y, label, { size: size * 0.55, colour: [0.3, 0.3, 0.4] });
    if (name) pen.target(name, true, x, y + size, value, { size, face: 'sans-bold' });
    else pen.text(x, y + size, value, { size, face: 'sans-bold' });
  };
  field(0, 0, 'Surname / Nom', person.family.toUpperCase(), 'name');
  field(1, 0, 'Given names / Prénoms', person.given.toUpperCase());
  field(2, 0, 'Date of birth', day(person.born), 'date');
  field(2, 1, 'Sex', sex);
  field(3, 0, 'Document No.', number, 'number');
  field(3, 1, 'Nationality', state.replaceAll('<', ''));
  field(4, 0, 'Date of issue', day(issued));
  field(4, 1, 'Date of expiry', day(expires), 'date');
}
