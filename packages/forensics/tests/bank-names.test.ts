import { expect } from 'chai';
import { bankNames } from '../rules/content/bank-names.ts';
import { documentOf, writtenText } from './fixtures/written-pages.ts';

async function found(...texts: string[]): Promise<string[]> {
  const verdict = await bankNames.run(documentOf(writtenText('Entgeltabrechnung für Mai', ...texts, 'Seite 1')));
  return verdict.status === 'finding' ? verdict.findings.map(({ message }) => message) : [];
}

const commerzbank = 'DE89 3704 0044 0532 0130 00';

describe('banks of IBANs', () => {
  it('are reported when another bank is named beside the account, in six countries', async () => {
    const wrong = {
      [`Bank: Deutsche Bank IBAN: ${commerzbank}`]: 'Commerzbank, while the document names Deutsche Bank',
      'Banco Santander IBAN ES91 2100 0418 4502 0005 1332': 'CaixaBank, while the document names Santander',
      'BNP Paribas FR14 2004 1010 0505 0001 3M02 606': 'La Banque Postale, while the document names BNP Paribas',
      'Rabobank NL91 ABNA 0417 1643 00': 'ABN AMRO, while the document names Rabobank',
      'UniCredit IT38 A030 6901 6001 0000 0012 345': 'Intesa Sanpaolo, while the document names UniCredit',
      'Banco BPI PT50 0035 0123 1234 5678 9016 1': 'Caixa Geral de Depósitos, while the document names BPI',
    };
    for (const [text, told] of Object.entries(wrong)) expect((await found(text))[0], text).to.contain(told);
  });

  it('are reported below a statement’s letterhead, not below an employer’s', async () => {
    const head = ['Deutsche Bank AG', 'Frau Erika Muster', `IBAN ${commerzbank}`, 'Umsätze'];
    expect(await found(...head, 'Neuer Kontostand 1.250,00')).to.have.length(1);
    expect(await found(...head, 'Auszahlungsbetrag 1.250,00')).to.deep.equal([]);
  });

  it('are not reported for the bank itself, its brands, unknown banks, and lists of several', async () => {
    const silent = [
      [`Commerzbank IBAN ${commerzbank}`],
      [`comdirect IBAN ${commerzbank}`],
      [`Deutsche Bank IBAN ${commerzbank}`, 'Konto bei der Commerzbank'],
      [`Bank Wiślany IBAN ${commerzbank}`],
      [`Sparkasse Köln, Deutsche Bank IBAN ${commerzbank}`],
      [`Deutsche Bank ${commerzbank}`, 'DE02120300000000202051', 'DE02500105170137075030'],
      ['Deutsche Bank DE89 3704 0044 0532 0130 01'],
      [`12.05.2025 Deutsche Bank ${commerzbank}`],
      [`Bau eG, Dipl.-Ing. Muster, IBAN ${commerzbank}`],
      ['39001 Santander IBAN ES91 2100 0418 4502 0005 1332'],
      ['Following your booking IBAN NL91 ABNA 0417 1643 00'],
    ];
    for (const texts of silent) expect(await found(...texts), texts.join()).to.deep.equal([]);
  });
});
