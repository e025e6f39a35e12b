import { expect } from 'chai';
import { IntlMessageFormat } from 'intl-messageformat';
import { languageNames, languages, locales, readLanguage } from '../../core/texts/languages.ts';
import { catalogueOf, textsOf } from '../../core/texts/texts.ts';
import { databases } from '../../harness/database/dialect.ts';
import { rejectionReasons } from '../../providers/sandbox/kyc.ts';
import { messageNames } from '../pages/pseudo-language.ts';
import { partsOf } from './message-parts.ts';

databases('none');

describe('the message catalogues', () => {
  for (const language of languages) {
    const catalogue = catalogueOf(language);

    it(`have every message in ${languageNames[language]}, with the same values and tags, and no other`, () => {
      expect(Object.keys(catalogue)).to.deep.equal(messageNames());
      for (const name of messageNames()) {
        const english = partsOf(new IntlMessageFormat(catalogueOf('en')[name], 'en').getAst());
        const own = partsOf(new IntlMessageFormat(catalogue[name], language).getAst());
        expect(own.needs, name).to.deep.equal(english.needs);
        const known = new Intl.PluralRules(locales[language]).resolvedOptions().pluralCategories;
        expect(
          own.forms.filter((form) => !/^=\d+$/.test(form) && !known.some((one) => one === form)),
          name,
        ).to.deep.equal([]);
        expect(own.forms.length > 0, name).to.equal(own.forms.includes('other'));
      }
    });

    it(`are entirely in ${languageNames[language]}: no straight quote, no double or outer space, and nothing left in English`, () => {
      const texts = Object.entries(catalogue);
      expect(texts.filter(([, text]) => /['"]| {2}|^ | $|\.\.\./.test(text))).to.deep.equal([]);
      if (language === 'en') return;
      const english: Record<string, string> = catalogueOf('en');
      const same = texts.filter(
        ([name, text]) => text === english[name] && text.split(' ').length > 1 && !/^\{\w+, (?:number|date)/.test(text),
      );
      expect(same.filter(([name]) => !['page.error', 'fault.shown'].includes(name))).to.deep.equal([]);
    });
  }

  it('have no longer words than German, the language in which `npm test` opens every page on the narrowest phone', () => {
    const lengthIn = (language: (typeof languages)[number]) =>
      Math.max(
        ...Object.values(catalogueOf(language))
          .flatMap((text) => text.match(/[\p{L}’]+/gu) ?? [])
          .map((word) => word.length),
      );
    for (const language of languages) expect(lengthIn(language), language).to.be.at.most(lengthIn('de'));
  });

  it('format days, sizes and plurals by language', () => {
    const end = new Date('2026-03-01T23:30:00Z');
    const said = (language: (typeof languages)[number]) => {
      const t = textsOf(language);
      return [
        t.day(end.toISOString()),
        t.text('documents.size', { size: 2.44 }),
        t.text('documents.handed', { count: 1 }),
        t.text('documents.handed', { count: 2 }),
        t.list(['a', 'b', 'c']),
      ];
    };
    expect(languages.map(said)).to.deep.equal([
      ['1 March 2026', '2.4 MB', '1 document handed in', '2 documents handed in', 'a, b and c'],
      ['1 de marzo de 2026', '2,4 MB', '1 documento entregado', '2 documentos entregados', 'a, b y c'],
      ['1. März 2026', '2,4 MB', '1 Dokument eingereicht', '2 Dokumente eingereicht', 'a, b und c'],
      ['1 mars 2026', '2,4\u202fMo', '1 document remis', '2 documents remis', 'a, b et c'],
      ['1 de març del 2026', '2,4 MB', '1 document lliurat', '2 documents lliurats', 'a, b i c'],
      ['1 de março de 2026', '2,4 MB', '1 documento entregue', '2 documentos entregues', 'a, b e c'],
      ['1 marzo 2026', '2,4 MB', '1 documento consegnato', '2 documenti consegnati', 'a, b e c'],
      ['1 maart 2026', '2,4 MB', '1 document ingeleverd', '2 documenten ingeleverd', 'a, b en c'],
      ['1 marca 2026', '2,4 MB', 'Złożono 1 dokument', 'Złożono 2 dokumenty', 'a, b i c'],
      ['1 مارس 2026', '2.4 م.ب', 'قُدّمت وثيقة واحدة', 'قُدّمت وثيقتان', 'a وb وc'],
    ]);
  });

  it('isolate and escape third-party text, and refuse a message without its value', () => {
    const t = textsOf('de');
    const { markup } = t.rich('page.asker', { landlord: '<i>A</i>', title: '{x}' });
    expect(markup).to.equal(
      'Angefragt von <strong><bdi>&#60;i&#62;A&#60;/i&#62;</bdi></strong> für <strong><bdi>{x}</bdi></strong>',
    );
    expect(() => t.text('documents.kept')).to.throw('landlord');
  });

  it('have a sentence for every reason that a simulated check gives', () => {
    const english: Record<string, string> = catalogueOf('en');
    for (const [name, sentence] of Object.entries(rejectionReasons))
      expect(english[`reason.${name}`]).to.equal(sentence);
  });

  it('are found by every form of a language tag', () => {
    expect(['ca', 'CA', 'ca-ES', 'pt-BR', 'gl', '', 'canada'].map(readLanguage)).to.deep.equal([
      'ca',
      'ca',
      'ca',
      'pt',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
