import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { settingNames } from '../../core/settings/catalogue.ts';
import { readConfig } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { databases } from '../../harness/database/dialect.ts';
import { documentedSettings, operatingGuide } from './operating-guide.ts';

databases('none');

/** Guides whose readers run the service themselves. */
const OWN_SANDBOX = ['sandbox.md', 'first-call.md', 'mocking.md'];

describe('the settings', () => {
  it('appear neither in the contract nor in the guides of integrators, who only call the service', async () => {
    // The PORT belongs to the guides' own programs.
    const names = [...documentedSettings].filter((name) => name !== 'PORT');
    expect(names.length).to.be.above(30);
    const guides = (await readdir('docs/guides')).filter((name) => name.endsWith('.md') && !OWN_SANDBOX.includes(name));
    const setting = new RegExp(`\\b(${names.join('|')})\\b`, 'g');
    for (const file of ['openapi.yaml', ...guides.map((name) => `docs/guides/${name}`)])
      expect((await readFile(file, 'utf8')).match(setting), file).to.equal(null);
  });

  it('are all in the tables of the operators’ documentation', () => {
    expect(settingNames().length).to.be.above(70);
    expect([...documentedSettings]).to.include.members(settingNames());
  });

  /** Cells of the rows whose third column holds a range, or a list of values. */
  const documentedValues = (form: RegExp) =>
    operatingGuide.split('\n').flatMap((line) => {
      const [, name = '', , values = ''] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
      const found = /^[A-Z][A-Z0-9_]+$/.test(name) ? form.exec(values) : null;
      return found ? [{ name, found }] : [];
    });

  /** Chooses every provider, so that every setting is read; without their credentials, no configuration is valid. */
  const isRefused = (name: string, value: string) => {
    const providers = { KYC_PROVIDER: 'stripe', EID_PROVIDER: 'oidc', MAIL_PROVIDER: 'smtp' };
    const env = { ...providers, SMTP_URL: 'smtp://mail.example', DOCUMENT_STORE: 's3://documents', [name]: value };
    try {
      readConfig(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.message.includes(`- ${name} is "${value}"; use `);
      throw error;
    }
    throw new Error('A configuration without credentials was accepted.');
  };

  it('accept exactly the ranges that the tables show', () => {
    const ranges = documentedValues(/^(\d+) to (\d+)$/);
    expect(ranges.length).to.be.above(35);
    for (const { name, found } of ranges) {
      const [least, most] = [Number(found[1]), Number(found[2])];
      for (const value of [least, most]) expect(isRefused(name, `${value}`), `${name}=${value}`).to.equal(false);
      for (const value of [least - 1, most + 1, least + 0.5])
        expect(isRefused(name, `${value}`), `${name}=${value}`).to.equal(true);
    }
  });

  it('accept exactly the words that the tables list', () => {
    const lists = documentedValues(/^\w+(, \w+)+$/);
    expect(lists.length).to.be.above(9);
    for (const { name, found } of lists) {
      for (const value of found[0].split(', ')) expect(isRefused(name, value), `${name}=${value}`).to.equal(false);
      expect(isRefused(name, 'other'), name).to.equal(true);
    }
  });
});
