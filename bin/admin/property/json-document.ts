import { basename } from 'node:path';
import type { SchemaObject } from 'ajv';
import { describeFields, type FieldError } from '../../../core/errors.ts';
import { canonicalId } from '../../../core/ids.ts';
import { oneLine } from '../../../core/text.ts';
import type { ImportLine } from '../../../db/properties/staged-properties.ts';
import {
  type FileProperty,
  objectSchema,
  propertySchema,
  workspaceSchema,
} from '../../../jobs/properties/property-schema.ts';
import { readBySchema } from '../cli/contract-rules.ts';
import { OperatorError } from '../cli/faults.ts';

export interface FileWorkspace {
  workspace_id?: string;
  workspace_name: string;
  properties?: FileProperty[];
}

const SHOWN_FAULTS = 10;

/** Validates the document as a whole. @throws OperatorError that names each invalid place */
export function parsePropertyFile(file: string, bytes: Uint8Array): FileWorkspace[] {
  const read = readBySchema<{ workspaces: FileWorkspace[] }>(fileSchema(), parseJson(file, bytes));
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

function fileSchema(): SchemaObject {
  const property = objectSchema([], propertySchema());
  const workspace = { ...workspaceSchema(), properties: arrayOf(property) };
  return objectSchema(['workspaces'], { workspaces: arrayOf(objectSchema(['workspace_name'], workspace)) });
}

function arrayOf(items: SchemaObject): SchemaObject {
  return { type: 'array', items };
}

/** The workspaces and properties as numbered lines, and the path of each in the document. */
export function documentLines(workspaces: readonly FileWorkspace[]): { lines: ImportLine[]; places: string[] } {
  const lines: ImportLine[] = [];
  const places: string[] = [];
  workspaces.forEach(({ workspace_id, workspace_name, properties = [] }, index) => {
    const workspace = { workspace_id, workspace_name };
    places.push(
      `workspaces.${index}`,
      ...properties.map((_, position) => `workspaces.${index}.properties.${position}`),
    );
    for (const content of [{}, ...properties.map((property) => ({ property }))])
      lines.push({ line: lines.length + 1, ...workspace, ...content });
  });
  return { lines, places };
}

/** Workspaces and properties that an import could not tell apart, or could not match the next time. */
function unrecognisable(workspaces: readonly FileWorkspace[]): FieldError[] {
  const faults: FieldError[] = [];
  const seen = new Map<string, { place: string; mustBeUnique: boolean }>();
  /** @param mustBeUnique the key is the only identification, so it must be unique */
  const note = (key: string, place: string, mustBeUnique: boolean) => {
    const earlier = seen.get(key);
    if (!earlier) seen.set(key, { place, mustBeUnique });
    else if (mustBeUnique || earlier.mustBeUnique) faults.push({ field: place, message: `repeats ${earlier.place}` });
  };
  workspaces.forEach(({ workspace_id, workspace_name, properties = [] }, index) => {
    const place = `workspaces.${index}`;
    if (workspace_id !== undefined) note(`id ${workspace_id.toLowerCase()}`, `${place}.workspace_id`, true);
    note(`name ${workspace_name}`, `${place}.workspace_name`, workspace_id === undefined);
    properties.forEach(({ property_id, property_reference }, position) => {
      const where = `${place}.properties.${position}`;
      const hasId = property_id !== undefined;
      if (hasId) note(`property ${canonicalId(property_id)}`, `${where}.property_id`, true);
      if (property_reference) note(`${place} ${property_reference}`, `${where}.property_reference`, !hasId);
      else if (!hasId)
        faults.push({ field: where, message: 'needs a property_id or a property_reference to be found again by' });
    });
  });
  return faults;
}
