import {
  findListedProperty,
  findNamedProperties,
  listProperties,
  type NamedProperty,
  type PropertyRow,
} from '../../../../db/properties/properties.ts';
import { textIn } from '../../query.ts';
import { type Parts, Refused, type Visit } from '../../route.ts';
import { choice, type Field, field } from '../../views/forms.ts';

/** A list offers this many. Of a landlord with more, members name one. */
export const MAX_PROPERTIES = 200;

interface Choice {
  landlordId: string;
  /** What stands for no property. */
  none: string;
  /** The identifier of the one that is chosen at first. */
  chosen?: string | null | undefined;
}

/** The properties of a landlord, to choose from. Undefined when there are none. */
export async function propertyField(
  { t }: Pick<Visit, 't'>,
  { db }: Pick<Parts, 'db'>,
  { landlordId, none, chosen }: Choice,
): Promise<Field | undefined> {
  const found = await listProperties(db, { landlordId }, MAX_PROPERTIES + 1);
  if (found.length === 0) return undefined;
  if (found.length <= MAX_PROPERTIES) {
    const options = found.map((row) => [row.property_id, shownName(row)] as const);
    return choice('property', t.text('property'), [['', none], ...options], chosen ?? '');
  }
  const value = chosen == null ? '' : await nameOf(db, landlordId, chosen);
  return field('property', t.text('property'), { value, hint: t.text('hint.property') });
}

function shownName({
  property_id,
  property_reference,
  street,
  municipality,
}: Pick<PropertyRow, 'property_id' | 'property_reference' | 'street' | 'municipality'>): string {
  const parts = [property_reference, street, municipality].filter((part) => part !== null && part !== '');
  return parts.join(', ') || property_id;
}

/** The reference where it means this property alone. */
async function nameOf(db: Parts['db'], landlordId: string, propertyId: string): Promise<string> {
  const found = await findListedProperty(db, propertyId);
  if (found?.landlord_id !== landlordId || !found.property_reference) return propertyId;
  const same = (await findNamedProperties(db, landlordId, [found.property_reference]))(found.property_reference);
  // Identifiers come first: the reference of one property may be the identifier of another.
  const [only, ...others] = same;
  const isItself = only?.property_id === propertyId && others.length === 0;
  return isItself && found.property_reference.trim() === found.property_reference
    ? found.property_reference
    : propertyId;
}

type FaultOfName = 'not-your-property' | 'ambiguous-property';

/** The one property that a name means, or why it means none. */
export function oneNamed(found: readonly NamedProperty[]): NamedProperty | FaultOfName {
  const [property, ...others] = found;
  if (!property) return 'not-your-property';
  return others.length > 0 ? 'ambiguous-property' : property;
}

/**
 * The identifier of the property that a form names, among those of a landlord; null for none, and undefined when the form does not ask for one.
 * @throws Refused
 */
export async function givenProperty(...asked: Parameters<typeof propertyReader>): Promise<string | null | undefined> {
  return (await propertyReader(...asked))();
}

/** Finds the property that a form names. @returns what gives its identifier or throws, as `givenProperty`, beside the other fields */
export async function propertyReader(
  { form, t }: Pick<Visit, 'form' | 't'>,
  { db }: Pick<Parts, 'db'>,
  landlordId: string,
): Promise<() => string | null | undefined> {
  if (!form.has('property')) return () => undefined;
  const name = textIn(form, 'property');
  if (name === undefined) return () => null;
  const named = oneNamed((await findNamedProperties(db, landlordId, [name]))(name));
  return () => {
    if (typeof named === 'string') throw new Refused(400, t, `import.fault.${named}`, {}, 'property');
    return named.property_id;
  };
}

/** The property by which members filter applications: one of their landlord's. Another's has no applications here. @throws Refused */
export async function propertyFilter(
  visit: Visit,
  parts: Pick<Parts, 'db'>,
): Promise<{ propertyInternalId?: number; shown?: Field | undefined }> {
  const { scope, t, query } = visit;
  if (scope.of === 'all landlords') return {};
  const { landlordId } = scope;
  const asked = textIn(query, 'property');
  const found = asked === undefined ? [] : (await findNamedProperties(parts.db, landlordId, [asked]))(asked);
  const named = oneNamed(found);
  if (named === 'ambiguous-property') throw new Refused(400, t, `import.fault.${named}`, {}, 'property');
  const isNamed = typeof named !== 'string';
  const chosen = isNamed ? named.property_id : asked;
  const shown = await propertyField(visit, parts, { landlordId, none: t.text('filter.any'), chosen });
  if (asked === undefined) return { shown };
  // No property has the internal id -1.
  return { propertyInternalId: isNamed ? named.id : -1, shown };
}
