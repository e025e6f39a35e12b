import fc from 'fast-check';
import { formatOf } from './formats.ts';
import { resolve, type Schema } from './schema.ts';
import { textOf } from './texts.ts';

/** Values that a schema allows, including edge cases. Failures shrink towards the simplest. */
export function valuesOf(reference: Schema): fc.Arbitrary<unknown> {
  const schema = resolve(reference);
  const values = presentValuesOf(schema);
  return schema.nullable && !schema.enum ? fc.option(values) : values;
}

function presentValuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer(rangeOf(schema));
    case 'number':
      return fc.double({ ...rangeOf(schema), noNaN: true });
    case 'array':
      return arrayOf(schema, schema.minItems ?? 0, schema.maxItems ?? (schema.minItems ?? 0) + 5);
    case 'object':
      return objectOf(schema);
    default:
      throw new Error(`Teach the generators the type ${schema.type}.`);
  }
}

export function arrayOf(schema: Schema, minLength: number, maxLength: number): fc.Arbitrary<unknown[]> {
  return fc.array(valuesOf(schema.items ?? {}), { minLength, maxLength, size: 'max' });
}

function stringOf({ format, pattern, minLength = 0, maxLength }: Schema): fc.Arbitrary<string> {
  if (format !== undefined) return formatOf(format).valid(maxLength ?? Number.POSITIVE_INFINITY);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  return textOf(minLength, maxLength);
}

function rangeOf({ minimum, maximum }: Schema): { min?: number; max?: number } {
  return { ...(minimum === undefined ? {} : { min: minimum }), ...(maximum === undefined ? {} : { max: maximum }) };
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valuesOf(field)]));
  return fc.record(fields, { requiredKeys: required, noNullPrototype: true });
}
