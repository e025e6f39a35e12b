import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { handlers } from '../handlers/index.ts';
import { databases } from '../harness/database/dialect.ts';

databases('none');

describe('handlers', () => {
  it('have a test file each, named like the operation', () => {
    for (const operation of Object.keys(handlers)) {
      const file = operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(existsSync(new URL(`operations/${file}.test.ts`, import.meta.url)), file).to.equal(true);
    }
  });

  it('declare their return type, so that a field missing from the contract is a compiler error', () => {
    for (const operation of Object.keys(handlers)) {
      const file = operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const text = readFileSync(new URL(`../handlers/${file}.ts`, import.meta.url), 'utf8');
      expect(text).to.include(`export const ${operation}: Handler<'${operation}'>`);
      expect(text).to.include(`): Answer<'${operation}'>`);
    }
  });
});
