import { basename } from 'node:path';
import type { SchemaObject } from 'ajv';
import { describeFields, type FieldError } from '../../core/errors.ts';
import type { components } from '../../generated/openapi.d.ts';
import { oneLine } from '../outside-trouble.ts';
import { contractSchema, readBySchema } from './contract-rules.ts';
import { OperatorError } from './faults.ts';

type Property = components['schemas']['Property'];

/** A property of the file. `null` empties a field; what is left out stays as it is. */
export type FileProperty = { property_id?: string } & {
  [Field in Exclude<keyof Property, 'property_id' | 'workspace_id'>]?: Property[Field] | null;
};

export interface FileWorkspace {
  workspace_id?: string;
  workspace_name: string;
  properties?: FileProperty[];
}

interface PropertyFile {
  workspaces: FileWorkspace[];
}

/** Integers of both databases: 32 bits, with a sign. */
const INTEGER_RANGE = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
/** The format also allows the prefix `urn:uuid:`, which would not be what the API compares with. */
const UUID_LENGTH = 36;
/** What an index of Postgres holds, and a path can carry. */
const IDENTIFIER = { minLength: 1, maxLength: 255 };
const SHOWN_FAULTS = 10;

/**
 * The workspaces of an import file, checked as a whole.
 * @throws OperatorError that names each offending place
 */
export function parsePropertyFile(file: string, bytes: Uint8Array): FileWorkspace[] {
  const read = readBySchema<PropertyFile>(fileSchema(), parseJson(file, bytes));
  const faults = 'faults' in read ? read.faults : unrecognisable(read.value.workspaces);
  if ('value' in read && faults.length === 0) return read.value.workspaces;
  const more = faults.length > SHOWN_FAULTS ? `; and ${faults.length - SHOWN_FAULTS} more` : '';
  const shown = describeFields(
    faults.slice(0, SHOWN_FAULTS).map(({ field, message }) => ({ field: field || 'the file', message })),
  );
  throw new OperatorError(`${basename(file)} cannot be imported; nothing was changed: ${shown}${more}`);
}

function parseJson(file: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? oneLine(error.message) : 'it is not in UTF-8';
    throw new OperatorError(`${basename(file)} is not JSON: ${reason}`);
  }
}

/** The contract's own schemas, but that a field may be emptied and must fit its column. */
function fileSchema(): SchemaObject {
  const { properties: workspaceFields } = contractSchema('Workspace');
  const { workspace_id: _none, property_id, ...columns } = contractSchema('Property')['properties'];
  const propertyFields = Object.fromEntries(
    Object.entries<SchemaObject>(columns).map(([name, column]) => [
      name,
      { ...column, nullable: true, storableText: true, ...(column['type'] === 'integer' ? INTEGER_RANGE : {}) },
    ]),
  );
  return object(['workspaces'], {
    workspaces: arrayOf(
      object(['workspace_name'], {
        workspace_id: { ...workspaceFields.workspace_id, maxLength: UUID_LENGTH },
        workspace_name: { ...workspaceFields.workspace_name, minLength: 1, storableText: true },
        properties: arrayOf(
          object([], { property_id: { ...property_id, ...IDENTIFIER, storableText: true }, ...propertyFields }),
        ),
      }),
    ),
  });
}

function object(required: string[], properties: Record<string, SchemaObject>): SchemaObject {
  return { type: 'object', additionalProperties: false, required, properties };
}

function arrayOf(items: SchemaObject): SchemaObject {
  return { type: 'array', items };
}

/** What an import could not tell apart, or would not find again the next time. */
function unrecognisable(workspaces: readonly FileWorkspace[]): FieldError[] {
  const faults: FieldError[] = [];
  const seen = new Map<string, { place: string; alone: boolean }>();
  /** `alone`: nothing else tells what is meant, so nobody may share the key. */
  const note = (key: string, place: string, alone: boolean) => {
    const earlier = seen.get(key);
    if (!earlier) seen.set(key, { place, alone });
    else if (alone || earlier.alone) faults.push({ field: place, message: `repeats ${earlier.place}` });
  };
  workspaces.forEach(({ workspace_id, workspace_name, properties = [] }, index) => {
    const place = `workspaces.${index}`;
    if (workspace_id !== undefined) note(`id ${workspace_id.toLowerCase()}`, `${place}.workspace_id`, true);
    note(`name ${workspace_name}`, `${place}.workspace_name`, workspace_id === undefined);
    properties.forEach(({ property_id, property_reference }, position) => {
      const where = `${place}.properties.${position}`;
      const hasId = property_id !== undefined;
      if (hasId) note(`property ${property_id}`, `${where}.property_id`, true);
      if (property_reference) note(`${place} ${property_reference}`, `${where}.property_reference`, !hasId);
      else if (!hasId)
        faults.push({ field: where, message: 'needs a property_id or a property_reference to be found again by' });
    });
  });
  return faults;
}
