import { expect } from 'chai';
import fc from 'fast-check';
import { isValid } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { breaksOf } from './breaks.ts';
import type { Schema } from './schema.ts';
import { valuesOf } from './values.ts';

databases('none');

/** Every keyword that the generators support. */
const schema: Schema = {
  type: 'object',
  required: ['name', 'list'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 5 },
    code: { type: 'string', pattern: '^[A-Z]{3}$' },
    kind: { type: 'string', enum: ['a', 'b', null], nullable: true },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    share: { type: 'number', minimum: 0 },
    list: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'boolean' } },
    day: { type: 'string', format: 'date-time' },
    place: { type: 'string', format: 'uri' },
    key: { type: 'string', format: 'uuid' },
    mail: { type: 'string', format: 'email', maxLength: 254 },
  },
};

describe('values generated from a schema', () => {
  const told = breaksOf(schema).map(({ keyword, field }) => `${field.join('.')} ${keyword}`.trim());

  it('are valid against the schema', () => {
    for (const value of fc.sample(valuesOf(schema), { numRuns: 300, seed: 1 }))
      expect(isValid(schema, value), JSON.stringify(value)).to.equal(true);
  });

  it('are broken for every constraint, even in a new field', () => {
    const some = ['type', 'null', 'name required', 'list required', 'surplus surplus', 'surplus of any name'];
    const texts = [
      'name type',
      'name null',
      'name minLength',
      'name maxLength',
      'code pattern',
      'kind enum',
      'day format',
    ];
    const others = [
      'count integer',
      'count minimum',
      'count maximum',
      'share minimum',
      'list minItems',
      'list maxItems',
    ];
    expect(told).to.include.members([...some, ...texts, ...others, 'list.0 type', 'mail format', 'mail maxLength']);
    expect(told).to.not.include('kind null');
    expect(new Set(told).size, 'each by a name of its own').to.equal(told.length);
  });

  it('are invalid once broken', () => {
    for (const { keyword, field, changes } of breaksOf(schema)) {
      const cases = fc.sample(fc.tuple(valuesOf(schema), changes), { numRuns: 60, seed: 1 });
      for (const [value, change] of cases)
        expect(isValid(schema, change(value)), `${field} ${keyword}: ${JSON.stringify(change(value))}`).to.equal(false);
    }
  });

  it('cover every keyword, format and type, or the generators stop', () => {
    const unknown = [{ type: 'string', uniqueItems: true }, { type: 'string', format: 'hostname' }, { type: 'file' }];
    for (const odd of unknown) expect(() => valuesOf(odd), JSON.stringify(odd)).to.throw('Teach the generators');
    for (const odd of unknown.slice(0, 2))
      expect(() => breaksOf({ type: 'object', properties: { odd } }), JSON.stringify(odd)).to.throw(
        'Teach the generators',
      );
  });

  it('shrink to the failing length, not to the longest', () => {
    const short = fc.property(valuesOf({ type: 'string', maxLength: 5000 }), (text) => String(text).length < 300);
    for (const seed of [1, 2, 3]) expect(fc.check(short, { seed }).counterexample?.join()).to.have.lengthOf(300);
  });
});
