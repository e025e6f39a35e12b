import type { SchemaObject } from 'ajv';
import { contractSchema } from '../../core/contract.ts';
import type { components } from '../../generated/openapi.d.ts';

type Property = components['schemas']['Property'];

/** A property in an import file. `null` empties a field; an absent field stays unchanged. */
export type FileProperty = { property_id?: string } & {
  [Field in Exclude<keyof Property, 'property_id' | 'workspace_id'>]?: Property[Field] | null;
};

/** A property with its workspace: one line of an import file. */
export type LineProperty = FileProperty & { workspace_id?: string; workspace_name?: string };

/** The range of an integer column in both databases: 32 bits, signed. */
const INTEGER_RANGE = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
/** The format `uuid` also allows the prefix `urn:uuid:`, which the API does not. */
const UUID_LENGTH = 36;
/** Fits a Postgres index and a URL path. */
const MAX_INDEXED_LENGTH = 255;
const INDEXED = { maxLength: MAX_INDEXED_LENGTH, storableText: true };

/** The contract's schema, except that fields may be emptied and must fit their columns. */
export function propertySchema(): Record<string, SchemaObject> {
  const { workspace_id: _none, property_id, ...columns } = contractSchema('Property')['properties'];
  const fields = Object.entries<SchemaObject>(columns).map(([name, column]) => {
    const isInteger = column['type'] === 'integer';
    const bounds =
      name === 'property_reference' ? INDEXED : { storableText: true, ...(isInteger ? INTEGER_RANGE : {}) };
    return [name, { ...column, nullable: true, ...bounds }];
  });
  return { property_id: { ...property_id, minLength: 1, ...INDEXED }, ...Object.fromEntries(fields) };
}

export function workspaceSchema(): Record<string, SchemaObject> {
  const { workspace_id, workspace_name } = contractSchema('Workspace')['properties'];
  return {
    workspace_id: { ...workspace_id, maxLength: UUID_LENGTH },
    workspace_name: { ...workspace_name, minLength: 1, ...INDEXED },
  };
}

export function objectSchema(required: string[], properties: Record<string, SchemaObject>): SchemaObject {
  return { type: 'object', additionalProperties: false, required, properties };
}
