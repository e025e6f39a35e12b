import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { handlers, readers } from '../handlers/index.ts';
import { databases } from '../harness/database/dialect.ts';

databases('none');

describe('handlers', () => {
  it('have a test file each, named like the operation', () => {
    for (const operation of Object.keys({ ...readers, ...handlers })) {
      const file = operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(existsSync(new URL(`operations/${file}.test.ts`, import.meta.url)), file).to.equal(true);
    }
  });
});
