import type { Html } from '../../../../core/html.ts';
import { findListedProperty, listProperties } from '../../../../db/properties/properties.ts';
import { textIn } from '../../query.ts';
import type { Parts, Visit } from '../../route.ts';
import { choice } from '../../views/forms.ts';

const MAX_PROPERTIES = 200;

/** The property by which members filter applications: one of their landlord's. Another's has no applications here. */
export async function propertyFilter(
  { scope, t, query }: Visit,
  { db }: Pick<Parts, 'db'>,
): Promise<{ propertyInternalId?: number; shown?: Html }> {
  if (scope.of === 'all landlords') return {};
  const asked = textIn(query, 'property');
  const found = asked === undefined ? undefined : await findListedProperty(db, asked);
  const isOurs = found?.landlord_id === scope.landlordId;
  const properties = await listProperties(db, { landlordId: scope.landlordId }, MAX_PROPERTIES);
  const options = properties.map(
    ({ property_id, property_reference, street }) =>
      [property_id, property_reference || street || property_id] as const,
  );
  const shown =
    options.length > 0
      ? choice('property', t.text('property'), [['', t.text('filter.any')], ...options], asked ?? '')
      : undefined;
  // No property has this internal id.
  const none = asked === undefined ? {} : { propertyInternalId: -1 };
  return { ...(isOurs && found ? { propertyInternalId: found.id } : none), ...(shown ? { shown } : {}) };
}
