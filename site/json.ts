import type { Json, JsonObject } from './contract.ts';

/** @throws when the contract has something else there */
export function objectOf(value: Json | undefined): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`openapi.yaml: an object was expected in place of ${JSON.stringify(value)}.`);
}

export function listOf(value: Json | undefined): Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
