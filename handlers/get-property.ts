import { findProperty, type PropertyFields } from '../db/properties/properties.ts';
import type { components } from '../generated/openapi.d.ts';
import type { Answer, Reader } from './handler.ts';

/** Product document 4.10. */
export const getProperty: Reader<'getProperty'> = async ({ params, query }, ctx): Answer<'getProperty'> => {
  const { workspace_id } = query;
  const property = await findProperty(ctx.read, workspace_id, params.property_id);
  return { message: 'Property found.', data: { property: propertyView(property, workspace_id) } };
};

type Property = components['schemas']['Property'];
/** Omits empty fields. */
function propertyView(fields: PropertyFields, workspace_id: string): Property {
  const columns: { [Field in Exclude<keyof Property, 'workspace_id'>]-?: Property[Field] | null } = fields;
  const filled = Object.entries(columns).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(filled), workspace_id };
}
