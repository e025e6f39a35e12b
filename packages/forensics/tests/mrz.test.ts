import { expect } from 'chai';
import type { Finding } from '../rule.ts';
import { mrzCheckDigits } from '../rules/content/mrz-check-digits.ts';
import { documentOf, writtenText } from './fixtures/written-pages.ts';

/** The specimens of ICAO 9303 parts 4 to 7; the last one's document number continues in the optional data. */
const passport = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
const card = ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'];
const wide = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'];
const visa = ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L8988901C4XXX4009078F96121096ZE184226B<<<<<<'];
const frenchCard = ['IDFRABERTHIER<<<<<<<<<<<<<<<<<92C001', '8806923102858CORINNE<<<<<<<6512068F6'];
const longNumber = [
  'I<UTOD23145890<7349<<<<<<<<<<<',
  '3407127M9507122UTO<<<<<<<<<<<2',
  'STEVENSON<<PETER<JOHN<<<<<<<<<',
];

const print = [
  'UTOPIA PASSPORT',
  'Surname ERIKSSON',
  'Given names ANNA MARIA',
  'Date of birth 12 AUG 1974',
  'Date of expiry 15 APR 2012',
  'Passport No L898902C3',
];

async function statusOf(...texts: string[]): Promise<string> {
  return (await mrzCheckDigits.run(documentOf(writtenText(...texts)))).status;
}

async function findingsOf(texts: readonly string[], isRead = false): Promise<Finding[]> {
  const verdict = await mrzCheckDigits.run(documentOf(writtenText(...texts), { isRead }));
  return verdict.status === 'finding' ? verdict.findings : [];
}

const replaced = (lines: readonly string[], from: string, to: string) => lines.map((line) => line.replace(from, to));
const fields = (found: readonly Finding[]) => found.map(({ evidence: [place] }) => place?.details?.['field']);

describe('the check digits of a machine-readable zone', () => {
  it('are valid in the specimens of every format', async () => {
    for (const zone of [passport, card, wide, visa, frenchCard, longNumber]) {
      expect(await statusOf('Identity document of Utopia, valid for travel', ...zone), zone[0]).to.equal('passed');
    }
  });

  it('are valid where the optional data is full and leaves no filler', async () => {
    const full = ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO123456789012', card[2] ?? ''];
    expect(fields(await findingsOf(full))).to.deep.equal(['whole zone']);
  });

  it('are valid with spaces between the characters', async () => {
    expect(await statusOf(...passport.map((line) => [...line].join(' ')))).to.equal('passed');
  });

  it('are invalid when a field was changed, and report the field, the digit and their position', async () => {
    const found = await findingsOf([...print.slice(0, 3), ...replaced(passport, '740812', '840812')]);
    expect(fields(found)).to.deep.equal(['date of birth']);
    const [digit, field] = found[0]?.evidence ?? [];
    expect(digit).to.include({ before: '9', after: '2', page: 1 });
    expect(field).to.include({ after: '840812' });
    expect(field?.box?.x)
      .to.be.above(40 + 13 * 4)
      .and.below(40 + 14 * 7);
    expect(found[0]?.strength).to.equal(undefined);
  });

  it('report each of several fields, in each format', async () => {
    expect(fields(await findingsOf(replaced(card, 'D23145890', 'D23145891')))).to.deep.equal(['document number']);
    expect(fields(await findingsOf(replaced(wide, '120415', '220415')))).to.deep.equal(['date of expiry']);
    expect(fields(await findingsOf(replaced(visa, '400907', '410907')))).to.deep.equal(['date of birth']);
    const both = replaced(replaced(passport, '740812', '840812'), 'L898902C3', 'L898903C3');
    expect(fields(await findingsOf(both))).to.have.members(['document number', 'date of birth']);
  });

  it('report the whole zone when only its last digit is invalid', async () => {
    expect(fields(await findingsOf([passport[0] ?? '', (passport[1] ?? '').replace(/0$/, '5')]))).to.deep.equal([
      'whole zone',
    ]);
  });

  it('are not required of a visa beyond the first three', async () => {
    expect(await statusOf(...replaced(visa, 'ZE184226B', 'ZE184299B'))).to.equal('passed');
  });

  it('only ask for a review in text read from a picture that cannot be read again', async () => {
    const found = await findingsOf([...print, ...replaced(passport, '740812', '840812')], true);
    expect(found.map(({ strength }) => strength))
      .to.include('context')
      .and.not.include('medium');
  });
});

describe('a machine-readable zone', () => {
  it('with an impossible date is a finding', async () => {
    const found = await findingsOf(replaced(passport, '7408122F', '7413129F'));
    expect(found.some(({ message }) => message.includes('not a calendar date'))).to.equal(true);
  });

  it('may leave parts of a date of birth open', async () => {
    const found = await findingsOf(replaced(card, '7408122', '7400000'));
    expect(found.every(({ message }) => !message.includes('calendar'))).to.equal(true);
  });

  it('passes when the print agrees, in any order and spelling', async () => {
    expect(await statusOf(...print, ...passport)).to.equal('passed');
    const bilingual = replaced(print, '12 AUG 1974', '12 AUG/AOUT 74').map((line) => line.toUpperCase());
    expect(await statusOf(...bilingual, ...passport)).to.equal('passed');
  });

  it('that the print contradicts is a finding: strong for dates, weaker for numbers, a review for names', async () => {
    const birth = await findingsOf([...replaced(print, '1974', '1984'), ...passport]);
    expect(birth.map(({ strength }) => strength)).to.deep.equal(['strong']);
    expect(birth[0]?.evidence[0]).to.include({ before: '74-08-12', after: '12 AUG 1984' });
    const number = await findingsOf([...replaced(print, 'L898902C3', 'L898902D4'), ...passport]);
    expect(number.map(({ strength }) => strength)).to.deep.equal(['medium']);
    const name = await findingsOf([...replaced(print, 'ERIKSSON', 'SVENSSON'), ...passport]);
    expect(name.map(({ strength }) => strength)).to.deep.equal(['context']);
  });

  it('is not contradicted by names spelled out in it', async () => {
    const zone = replaced(passport, 'ERIKSSON<<ANNA<MARIA<<<<', 'MUELLER<SOERENSEN<<ANNA<');
    const names = replaced(print, 'ERIKSSON', 'Müller Sørensen');
    expect(await findingsOf([...names, ...zone])).to.deep.equal([]);
  });

  it('is not detected in other text', async () => {
    const other = ['<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<', 'A<B<C', 'REFERENCE<NUMBER<12345678901234567890<<<<<<<', 'P<UTO'];
    expect(await statusOf(...other, ...other, 'Some text of a document that has no zone')).to.equal('not_applicable');
  });
});
