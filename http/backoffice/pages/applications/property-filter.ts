import { findListedProperty, listProperties, type PropertyRow } from '../../../../db/properties/properties.ts';
import { textIn } from '../../query.ts';
import type { Parts, Visit } from '../../route.ts';
import { choice, type Field } from '../../views/forms.ts';

const MAX_PROPERTIES = 200;

/** The properties of a landlord, to choose from. Undefined when there are none. */
async function propertyField(
  { t }: Pick<Visit, 't'>,
  { db }: Pick<Parts, 'db'>,
  { landlordId, none, chosen }: { landlordId: string; none: string; chosen: string },
): Promise<Field | undefined> {
  const found = await listProperties(db, { landlordId }, MAX_PROPERTIES);
  const nameOf = ({
    property_reference,
    street,
    municipality,
  }: Pick<PropertyRow, 'property_reference' | 'street' | 'municipality'>) =>
    [property_reference, street, municipality].filter((part) => part !== null && part !== '').join(', ');
  const options = found.map((row) => [row.property_id, nameOf(row) || row.property_id] as const);
  return options.length > 0 ? choice('property', t.text('property'), [['', none], ...options], chosen) : undefined;
}

/** The properties of the application's landlord, to choose from. Undefined when there are none. */
export function propertyChoice(
  visit: Pick<Visit, 't'>,
  parts: Pick<Parts, 'db'>,
  { landlord_id, property_id }: { landlord_id: string; property_id: string | null },
): Promise<Field | undefined> {
  const none = visit.t.text('none');
  return propertyField(visit, parts, { landlordId: landlord_id, none, chosen: property_id ?? '' });
}

/** The property by which members filter applications: one of their landlord's. Another's has no applications here. */
export async function propertyFilter(
  visit: Visit,
  parts: Pick<Parts, 'db'>,
): Promise<{ propertyInternalId?: number; shown?: Field | undefined }> {
  const { scope, t, query } = visit;
  if (scope.of === 'all landlords') return {};
  const { landlordId } = scope;
  const asked = textIn(query, 'property');
  const shown = await propertyField(visit, parts, { landlordId, none: t.text('filter.any'), chosen: asked ?? '' });
  if (asked === undefined) return { shown };
  const found = await findListedProperty(parts.db, asked);
  // No property has the internal id -1.
  return { propertyInternalId: found?.landlord_id === landlordId ? found.id : -1, shown };
}
