import { crossRules } from '@tenant-screening/forensics/compare';
import { RULE_NAMES } from '@tenant-screening/forensics/named-rules';
import { rules } from '@tenant-screening/forensics/rules';
import { expect } from 'chai';
import { IntlMessageFormat } from 'intl-messageformat';
import { locales } from '../../core/texts/languages.ts';
import {
  type ReportMessage,
  reportCatalogueOf,
  reportLanguages,
  reportTextsOf,
} from '../../core/texts/report-texts.ts';
import { databases } from '../../harness/database/dialect.ts';
import { findingWords } from '../../jobs/documents/finding-words.ts';
import { partsOf } from '../core/message-parts.ts';

databases('none');

const box = { x: 1, y: 1, width: 10, height: 10 };
const strong = (...evidence: Parameters<typeof findingWords>[2]['evidence']) => ({
  strength: 'strong' as const,
  evidence,
});
const english = reportCatalogueOf('en');
const names = Object.keys(english).filter((name): name is ReportMessage => name in english);
const others = reportLanguages.filter((language) => language !== 'en');

describe('the findings of the checks, in the languages of landlords', () => {
  it('have words for every rule of the engine, and for none that it lacks', () => {
    const run = [...rules, ...crossRules].map(({ name }) => name);
    expect([...RULE_NAMES].sort()).to.deep.equal(run.sort());
  });

  for (const language of reportLanguages)
    it(`are complete in ${language} like all of a report, with the same values, without straight quotes or outer spaces`, () => {
      const own = reportCatalogueOf(language);
      expect(Object.keys(own)).to.deep.equal(names);
      for (const name of names) {
        expect(own[name], name).to.not.match(/['"]| {2}|^ | $|\.\.\./);
        const [ours, theirs] = [own[name], english[name]].map((text) =>
          partsOf(new IntlMessageFormat(text, locales[language]).getAst()),
        );
        expect(ours?.needs, name).to.deep.equal(theirs?.needs);
        const isSentence = english[name].replaceAll(/\{[^}]*\}/g, '').split(' ').length > 3;
        if (language !== 'en' && isSentence) expect(own[name], name).to.not.equal(english[name]);
      }
    });

  for (const language of others)
    it(`differ by rule, and none is in English, in ${language}`, () => {
      const said = (tag: typeof language | 'en') =>
        RULE_NAMES.map((rule) => findingWords(reportTextsOf(tag), { rule }, strong()).text);
      expect(new Set(said(language)).size).to.equal(RULE_NAMES.length);
      expect(said(language).filter((text) => said('en').includes(text))).to.deep.equal([]);
    });

  it('quote what the document says at a place, with what was there or is expected', () => {
    const t = reportTextsOf('de');
    const text = (rule: string, ...evidence: Parameters<typeof strong>) =>
      findingWords(t, { rule }, strong(...evidence))
        .text.replace(t.text('finding-text.revised-text'), '')
        .trim();
    expect(text('revised-text', { page: 2, box, before: '1.250,00', after: '2.850,00' })).to.equal(
      'Seite 2: „2.850,00“; früher oder erwartet „1.250,00“.',
    );
    expect(text('revised-text', { page: 2, box, before: '1.250,00', after: '' })).to.equal(
      'Seite 2: früher oder erwartet „1.250,00“.',
    );
    expect(text('revised-text', { page: 1, box, before: '', after: '' })).to.equal('Seite 1.');
    const sides = [
      { document: 'lohn.pdf', box, after: '3.144,44' },
      { document: 'bank.pdf', box, after: '2.214,44' },
    ];
    expect(text('revised-text', ...sides)).to.equal('lohn.pdf: „3.144,44“. bank.pdf: „2.214,44“.');
  });

  it('suspect nothing in a signature that fits or in a record of origin, and name a check of another version as such', () => {
    const context = { strength: 'context' as const, evidence: [] };
    const t = reportTextsOf('es');
    const title = (rule: string) => findingWords(t, { rule }, context).title;
    expect(['signatures', 'c2pa-manifest', 'a-rule-of-the-past'].map(title)).to.deep.equal([
      'Firma digital que concuerda',
      'Datos sobre el origen de la imagen',
      'Otra comprobación',
    ]);
  });
});
