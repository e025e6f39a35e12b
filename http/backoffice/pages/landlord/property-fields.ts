import type { PropertyRow } from '../../../../db/properties/properties.ts';
import { textIn } from '../../query.ts';
import { Refused, type Visit } from '../../route.ts';
import { type Fields, field } from '../../views/forms.ts';
import { each } from '../given.ts';

/** The fields of a property in a form. The contract names them (product document 2.6). In the order of the form. */
const FIELDS = {
  property_reference: 'text',
  rent_amount: 'amount',
  street: 'text',
  street_number: 'integer',
  entrance_stairwell: 'text',
  floor: 'integer',
  letter: 'text',
  postal_code: 'text',
  municipality: 'text',
  province: 'text',
  bedrooms: 'integer',
  bathrooms: 'integer',
} as const;

type Name = keyof typeof FIELDS;
type TextName = { [N in Name]: (typeof FIELDS)[N] extends 'text' ? N : never }[Name];
export type PropertyFields = Pick<PropertyRow, Name>;

export const propertyFields = Object.keys(FIELDS).filter((name): name is Name => name in FIELDS);
const isText = (name: Name): name is TextName => FIELDS[name] === 'text';
/** The desk lists all workspaces of a landlord. */
export const MAX_WORKSPACES = 200;
const MAX_LENGTH = 255;
const SHAPES = { text: /^.{1,255}$/s, amount: /^\d{1,9}(?:[.,]\d{1,2})?$/, integer: /^-?\d{1,6}$/ };

export function propertyForm({ t }: Visit, property: Partial<PropertyFields> = {}): Fields {
  return propertyFields.map((name) =>
    field(name, t.text(`property.${name}`), { value: String(property[name] ?? ''), maxLength: MAX_LENGTH }),
  );
}

/** An empty field has no value. @throws Refusal naming each wrong field */
export function propertyIn({ t, form }: Visit): Partial<PropertyFields> {
  const fields: Partial<PropertyFields> = {};
  each(propertyFields, (name) => {
    const value = textIn(form, name) ?? null;
    if (value !== null && !SHAPES[FIELDS[name]].test(value))
      throw new Refused(400, t, 'refused.property-field', { name: t.text(`property.${name}`) }, name);
    if (isText(name)) fields[name] = value;
    else fields[name] = value === null ? null : Number(value.replace(',', '.'));
  });
  return fields;
}
