import { Malformed } from './frames.ts';

/** The fields of a worker's message, each read as what it should be. All throw Malformed. */
export type Fields = ReadonlyMap<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed('Fields are missing.');
  return new Map(Object.entries(value));
}

export function listOf(value: unknown, longest: number): unknown[] {
  if (!Array.isArray(value)) throw new Malformed('A list is missing.');
  return value.slice(0, longest);
}

export function textOf(value: unknown, longest: number): string {
  if (typeof value !== 'string') throw new Malformed('A text is missing.');
  // Neither databases nor browsers accept every character that JSON can hold.
  return value.slice(0, longest).toWellFormed().replaceAll('\u0000', '\ufffd');
}

export function numberOf(value: unknown): number {
  // JSON.parse yields Infinity for large numbers, which JSON cannot represent again.
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Malformed('A number is missing.');
  return value;
}

export function oneOf<Value extends string>(allowed: readonly Value[], value: unknown): Value {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new Malformed('A value is not one of those allowed.');
  return found;
}
