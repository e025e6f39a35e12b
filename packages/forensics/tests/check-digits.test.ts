import { expect } from 'chai';
import type { Finding, Rule } from '../rule.ts';
import { ibanCheckDigits } from '../rules/content/iban-check-digits.ts';
import { nationalIdCheckDigits } from '../rules/content/national-id-check-digits.ts';
import { documentOf, writtenPages, writtenText } from './fixtures/written-pages.ts';

async function statusOf(rule: Rule, ...texts: string[]): Promise<string> {
  return (await rule.run(documentOf(writtenText(...texts)))).status;
}

async function findingsOf(rule: Rule, ...texts: string[]): Promise<Finding[]> {
  const verdict = await rule.run(documentOf(writtenText(...texts)));
  return verdict.status === 'finding' ? verdict.findings : [];
}

describe('the check digits of IBANs', () => {
  const iban = (...texts: string[]) => statusOf(ibanCheckDigits, ...texts);

  it('are valid for real ones, in groups or not, in any context', async () => {
    const real = [
      'DE89370400440532013000',
      'IBAN: DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX',
      'GB29 NWBK 6016 1331 9268 19',
      'FR14 2004 1010 0505 0001 3M02 606',
      'ES91 2100 0418 4502 0005 1332',
      'IT60X0542811101000000123456',
      'NL91 ABNA 0417 1643 00.',
      'PL61 1090 1014 0000 0712 1981 2874',
      'CH93 0076 2011 6238 5295 7',
    ];
    for (const text of real) expect(await iban(text), text).to.equal('passed');
  });

  it('are invalid when a digit was changed, and the place is reported', async () => {
    const [finding] = await findingsOf(ibanCheckDigits, 'Konto', 'IBAN DE89 3704 0044 0532 0130 01 BIC COBADEFFXXX');
    expect(finding?.message).to.contain('DE89 3704 0044 0532 0130 01');
    expect(finding?.strength).to.equal(undefined);
    expect(finding?.evidence).to.have.length(1);
    expect(finding?.evidence[0]?.box?.y).to.equal(54);
    expect(finding?.evidence[0]?.box?.x).to.be.closeTo(62, 8);
  });

  it('suggest a valid, nearly identical IBAN from the document', async () => {
    const [finding] = await findingsOf(ibanCheckDigits, 'DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0999 0130 00');
    expect(finding?.evidence[0]).to.include({
      before: 'DE89 3704 0044 0532 0130 00',
      after: 'DE89 3704 0044 0999 0130 00',
    });
  });

  it('are one finding however often the same number occurs', async () => {
    const found = await findingsOf(ibanCheckDigits, 'DE89 3704 0044 0532 0130 01', 'IBAN DE89370400440532013001');
    expect(found).to.have.length(1);
    expect(found[0]?.evidence).to.have.length(2);
  });

  it('are not computed for text that is not shaped like an IBAN', async () => {
    const other = [
      'DE89 3704 **** **** 0130 00',
      'DE89 XXXX XXXX XXXX XX30 00',
      'DE98ZZZ09999999999',
      'DE123456789',
      'DE89 3704 0044 0532 0130 00 12',
      'DE00 1234 5678 9012 3456 78',
      'DE12 0000 0000 0000 0000 00',
      'XX89 3704 0044 0532 0130 00',
      'ORDER89370400440532013001',
      'NL91 1234 0417 1643 00',
    ];
    for (const text of other) expect(await iban(text), text).to.equal('not_applicable');
  });

  it('only ask for a review in text read from a picture', async () => {
    const pages = writtenText(
      'Kontoauszug der Bank fuer Frau Erika Muster, Musterstadt',
      'DE89 3704 0044 0532 0130 01',
    );
    const verdict = await ibanCheckDigits.run(documentOf(pages, { kind: 'jpeg', isRead: true }));
    expect(verdict.status === 'finding' ? verdict.findings.map(({ strength }) => strength) : []).to.deep.equal([
      'context',
    ]);
  });
});

describe('the check digits of national numbers', () => {
  const right: Record<string, string> = {
    'DNI/NIF: 12345678Z': '12345678A',
    'NIE X2482300W': 'X2482300A',
    'Steuer-ID: 36 574 261 809': '36 574 261 808',
    'SV-Nummer 15070649C103': '15070649C104',
    'N° de sécurité sociale : 2 95 10 99 126 111 93': '2 95 10 99 126 111 94',
    'Codice fiscale RCCMNL83S18D969H': 'RCCMNL83S18D969A',
    'PESEL 44051401359': '44051401358',
    'BSN 111222333': '111222334',
    'NISS 85.07.30-033.28': '85.07.30-033.29',
    'AHV-Nr. 756.9217.0769.85': '756.9217.0769.84',
    'CPF: 390.533.447-05': '390.533.447-06',
    'NIF 123456789': '123456788',
    'Personnummer 811228-9874': '811228-9875',
    'CNP 1630615123457': '1630615123458',
    'N. afiliación S.S. 28 12345678 40': '28 12345678 41',
    'NASS no, NUSS: 281234567840': '281234567841',
    'N. afiliación 28/05871394/75': '28/05871394/76',
    'CIF A13585625': 'A13585626',
    'USt-IdNr.: DE136695976': 'DE136695977',
    'UID-Nr. ATU13585627': 'ATU13585626',
    'TVA intracommunautaire : FR 83 404 833 048': 'FR 84 404 833 048',
    'P.IVA 00743110157': '00743110158',
    'NIP 856-734-62-15': '856-734-62-16',
    'BTW-nr. NL004495445B01': 'NL004495446B01',
    'BTW BE 0428.759.497': 'BE 0428.759.498',
    'VAT reg. no. GB 980 7806 84': 'GB 980 7806 85',
    'TVA LU15027442': 'LU15027443',
  };

  it('are valid for real ones beside their label', async () => {
    for (const text of Object.keys(right)) expect(await statusOf(nationalIdCheckDigits, text), text).to.equal('passed');
  });

  it('are invalid when a digit was changed', async () => {
    for (const [text, wrong] of Object.entries(right)) {
      const label = text.slice(0, text.length - wrong.length);
      const [finding] = await findingsOf(nationalIdCheckDigits, `${label}${wrong}`);
      expect(finding?.evidence[0]?.after, text).to.equal(wrong);
    }
  });

  it('are computed for a number below its label', async () => {
    const rows = [
      [
        { text: 'Name', left: 40 },
        { text: 'PESEL', left: 200 },
      ],
      [
        { text: 'Jan Nowak', left: 40 },
        { text: '44051401358', left: 200 },
      ],
    ];
    expect(
      (
        await nationalIdCheckDigits.run(
          documentOf(writtenPages(rows, [[{ text: 'Pasek wynagrodzenia za maj', left: 40 }]])),
        )
      ).status,
    ).to.equal('finding');
  });

  it('are not computed for numbers without a label, masked or of another shape', async () => {
    const other = [
      'Referenz 44051401358',
      'PESEL 440514*****',
      'PESEL nr konta 61 1090 1014 0000',
      'BSN: siehe Anlage, Vorgang 111222334',
      'Rechnung NIF-2024-000123456788',
      'Versicherungsnummer 4711',
    ];
    for (const text of other) expect(await statusOf(nationalIdCheckDigits, text), text).to.equal('not_applicable');
  });

  it('assign a label shared by two countries to the number that matches either', async () => {
    expect(await statusOf(nationalIdCheckDigits, 'NIF: 12345678Z', 'NIF: 123456789')).to.equal('passed');
  });
});
