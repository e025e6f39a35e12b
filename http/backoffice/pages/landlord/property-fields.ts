import { type Html, html } from '../../../../core/html.ts';
import type { PropertyRow } from '../../../../db/properties/properties.ts';
import { textIn } from '../../query.ts';
import { Refused, type Visit } from '../../route.ts';
import { field } from '../../views/forms.ts';

/** The fields of a property in a form, with the kind of each. The contract names them (product document 2.6). */
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
export type PropertyFields = Pick<PropertyRow, Name>;

/** In the order of the form. */
export const propertyFields = Object.keys(FIELDS).filter((name): name is Name => name in FIELDS);
/** The desk lists all workspaces of a landlord. */
export const MAX_WORKSPACES = 200;
const MAX_LENGTH = 255;
const INTEGER = /^-?\d{1,6}$/;
const AMOUNT = /^\d{1,9}(?:[.,]\d{1,2})?$/;

export function propertyForm({ t }: Visit, property: Partial<PropertyFields> = {}): Html {
  return html`${propertyFields.map((name) => field(name, t.text(`property.${name}`), String(property[name] ?? '')))}`;
}

/** An empty field has no value. @throws Refused naming the field */
export function propertyIn(visit: Visit): PropertyFields {
  const { t, form } = visit;
  const given = (name: Name) => textIn(form, name) ?? null;
  const refuse = (name: Name) => new Refused(400, t, 'refused.property-field', { name: t.text(`property.${name}`) });
  const text = (name: Name): string | null => {
    const value = given(name);
    if (value !== null && value.length > MAX_LENGTH) throw refuse(name);
    return value;
  };
  const number = (name: Name, shape: RegExp): number | null => {
    const value = given(name);
    if (value === null) return null;
    if (!shape.test(value)) throw refuse(name);
    return Number(value.replace(',', '.'));
  };
  return {
    property_reference: text('property_reference'),
    rent_amount: number('rent_amount', AMOUNT),
    street: text('street'),
    street_number: number('street_number', INTEGER),
    entrance_stairwell: text('entrance_stairwell'),
    floor: number('floor', INTEGER),
    letter: text('letter'),
    postal_code: text('postal_code'),
    municipality: text('municipality'),
    province: text('province'),
    bedrooms: number('bedrooms', INTEGER),
    bathrooms: number('bathrooms', INTEGER),
  };
}
