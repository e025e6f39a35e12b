import { type Html, html, isolated } from '../../../../core/html.ts';
import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { findNamedProperties, type NamedProperty } from '../../../../db/properties/properties.ts';
import {
  columns,
  guarantorColumns,
  type ListedApplication,
  type ListedPerson,
  MAX_LINES,
  MAX_PEOPLE,
  readApplications,
  type TableFault,
} from '../../../../jobs/invitations/application-table.ts';
import { textIn } from '../../query.ts';
import type { Parts, Visit } from '../../route.ts';
import { hidden } from '../../views/forms.ts';
import { type Column, table } from '../../views/parts.ts';
import { fieldOfKeys, openKeys } from '../key-choice.ts';
import { importRoutes, type TableImport } from '../table-import.ts';
import { createFor, keyFor } from './create.ts';
import { oneNamed } from './property-choice.ts';

type Of = Visit<OneLandlord>;

/** With the property that its line names. */
type Ready = ListedApplication & { named: NamedProperty | undefined };

const [title, lead, ...others] = columns;

const applications: TableImport<{ ready: readonly Ready[]; added: number }> = {
  place: 'applications',
  title: 'import.title',
  text: (t) => t.text('import.text', { max: MAX_LINES }),
  columns: (t) => [
    { names: [title], meaning: t.text('application.title'), isRequired: true },
    { names: [lead], meaning: t.text('import.lead'), isRequired: true },
    { names: others.filter((name) => name.startsWith('email')), meaning: t.text('import.other'), isRequired: false },
    { names: guarantorColumns, meaning: t.text('import.guarantor'), isRequired: false },
    { names: ['property'], meaning: t.text('import.property'), isRequired: false },
  ],
  fields: async (visit, parts) => fieldOfKeys(visit, await openKeys(visit, parts), textIn(visit.form, 'client_id')),
  async run(visit, parts, csv, isPreview) {
    const { ready, faults } = await read(visit, parts, csv);
    const added = isPreview || faults.length > 0 ? 0 : await create(visit, parts, ready);
    return { faults: shown(visit, faults), result: { ready, added } };
  },
  preview(visit, { ready }, confirm) {
    const { t, form } = visit;
    const count = ready.length;
    const key = hidden({ client_id: textIn(form, 'client_id') ?? '' });
    return html`<p class="lead">${t.text('import.ready', { count })}</p>
${confirm(t.text('import.create', { count }), key)}
${table(t.text('import.preview'), columnsOf(t), ready)}`;
  },
  done({ t }, { ready, added }) {
    const existing = ready.length - added;
    return html`<p class="lead" role="status">${t.text('import.created', { count: added })}</p>
${existing > 0 ? html`<p>${t.text('import.existing', { count: existing })}</p>` : undefined}`;
  },
};

export const applicationImport = importRoutes(applications);

async function read({ scope }: Of, { db }: Pick<Parts, 'db'>, csv: string) {
  const { applications: listed, properties, faults } = await readApplications(csv);
  const names = properties.map(({ property }) => property);
  const propertiesOf = await findNamedProperties(db, scope.landlordId, names);
  const wrong = properties.flatMap(({ line, property }): TableFault[] => {
    const named = oneNamed(propertiesOf(property));
    return typeof named === 'string' ? [{ line, column: 'property', fault: named }] : [];
  });
  const ready = listed.map((one): Ready => {
    const named = one.property === '' ? undefined : oneNamed(propertiesOf(one.property));
    return { ...one, named: typeof named === 'string' ? undefined : named };
  });
  return { ready, faults: [...faults, ...wrong].toSorted((a, b) => a.line - b.line) };
}

function shown({ t }: Of, faults: readonly TableFault[]) {
  return faults.map(({ fault, other = 0, ...place }) => ({
    ...place,
    text: t.text(`import.fault.${fault}`, { max: MAX_LINES, other, people: MAX_PEOPLE }),
  }));
}

function columnsOf(t: DeskTexts): readonly Column<Ready>[] {
  const inWords = ({ email, isGuarantor }: ListedPerson): Html =>
    html`${isolated(email)}${isGuarantor ? ` (${t.text('role.guarantor')})` : undefined}`;
  const lines = (people: readonly ListedPerson[]) =>
    html`${people.map((one, index) => html`${index > 0 ? html`<br>` : undefined}${inWords(one)}`)}`;
  return [
    [t.text('import.place'), ({ line }) => t.text('import.line', { line })],
    [t.text('application.title'), ({ title }) => isolated(title)],
    [t.text('role.lead'), ({ people }) => lines(people.slice(0, 1))],
    [t.text('import.others'), ({ people }) => lines(people.slice(1))],
    [t.text('property'), ({ named }) => named && isolated(named.property_reference || named.property_id)],
  ];
}

/**
 * One transaction per application: creating is idempotent for the same people, so an interrupted import is repeated. @returns how many are
 * new
 */
async function create(visit: Of, parts: Parts, ready: readonly Ready[]): Promise<number> {
  const apiKeyId = await keyFor(visit, parts);
  let added = 0;
  for (const { title, people, named } of ready) {
    const { isNew } = await createFor(visit, parts, apiKeyId, { title, people, propertyId: named?.property_id });
    if (isNew) added += 1;
  }
  return added;
}
