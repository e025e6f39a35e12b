import { findProperty, type PropertyRow } from '../db/properties/properties.ts';
import type { components } from '../generated/openapi.d.ts';
import type { Answer, Reader } from './handler.ts';

/** Product document 4.10. */
export const getProperty: Reader<'getProperty'> = async ({ params, query }, ctx): Answer<'getProperty'> => {
  const { workspace_id } = query;
  const property = await findProperty(ctx.db, ctx.caller.apiKeyId, workspace_id, params.property_id);
  return { message: 'Property found.', data: { property: propertyView(property, workspace_id) } };
};

type Property = components['schemas']['Property'];
type Columns = { [Field in Exclude<keyof Property, 'workspace_id'>]-?: Property[Field] | null };

/** Omits empty columns. */
function propertyView(row: PropertyRow, workspace_id: string): Property {
  const { id: _id, workspace_internal_id: _internal, ...fields } = row;
  const columns: Columns = fields;
  const filled = Object.entries(columns).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(filled), workspace_id };
}
