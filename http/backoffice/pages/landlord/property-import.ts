import { type Html, html, isolated } from '../../../../core/html.ts';
import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import type { StagedChange, ValueChange } from '../../../../db/properties/staged-properties.ts';
import { importTable, type TableImport as Result } from '../../../../jobs/properties/import-table.ts';
import type { Visit } from '../../route.ts';
import { badge, type Column, facts, shortId, table } from '../../views/parts.ts';
import { importRoutes, type ShownFault, type TableImport } from '../table-import.ts';
import { MAX_WORKSPACES, propertyFields } from './property-fields.ts';

type Of = Visit<OneLandlord>;

const properties: TableImport<Result> = {
  place: 'properties',
  title: 'import.properties',
  text: (t) => t.text('import.properties-text'),
  columns: (t) => [
    { names: ['workspace_name'], meaning: t.text('workspace'), isRequired: true },
    { names: ['property_reference'], meaning: t.text('property.property_reference'), isRequired: true },
    ...propertyFields
      .filter((name) => name !== 'property_reference')
      .map((name) => ({ names: [name], meaning: t.text(`property.${name}`), isRequired: false })),
    { names: ['workspace_id', 'property_id'], meaning: t.text('import.ids'), isRequired: false },
  ],
  async run(visit, parts, csv, isPreview) {
    const { scope, actor } = visit;
    const order = { landlordId: scope.landlordId, actor, maxWorkspaces: MAX_WORKSPACES, isPreview };
    const result = await importTable(parts, order, csv);
    return { faults: faultsOf(visit, result), result };
  },
  preview({ t }, result, confirm) {
    const { properties: changed, workspaces } = result.counts;
    const shown = changed.added + changed.changed;
    if (shown + workspaces.added + workspaces.changed === 0)
      return html`<p class="lead">${t.text('import.nothing')}</p>${countsOf(t, result)}`;
    const more = shown - result.shown.length;
    return html`<p class="lead">${t.text('import.properties-ready')}</p>
${countsOf(t, result)}
${confirm(t.text('import.properties-create'))}
${table(t.text('import.preview'), columnsOf(t), result.shown)}
${more > 0 ? html`<p>${t.text('import.more', { count: more })}</p>` : undefined}`;
  },
  done({ t }, result) {
    return html`<p class="lead" role="status">${t.text('import.properties-done')}</p>
${countsOf(t, result)}`;
  },
};

export const propertyImport = importRoutes(properties);

function faultsOf({ t }: Of, { faults, hasTooManyWorkspaces }: Result): ShownFault[] {
  if (faults.length === 0 && hasTooManyWorkspaces)
    return [{ line: 1, text: t.text('refused.workspaces', { limit: MAX_WORKSPACES }) }];
  return faults.map((one) => {
    if ('column' in one || !('code' in one)) return { ...one, text: t.text(`import.fault.${one.fault}`) };
    const { line, field, code, fault_line } = one;
    return { line, column: field, text: t.text(`import.fault.${code ?? 'value'}`, { other: fault_line ?? 0 }) };
  });
}

function countsOf(t: DeskTexts, { counts: { properties: one, workspaces } }: Result): Html {
  return facts([
    [t.text('import.added'), t.number(one.added)],
    [t.text('import.changed'), t.number(one.changed)],
    [t.text('import.unchanged'), t.number(one.unchanged)],
    [t.text('import.workspaces-added'), workspaces.added > 0 ? t.number(workspaces.added) : null],
    [t.text('import.workspaces-renamed'), workspaces.changed > 0 ? t.number(workspaces.changed) : null],
  ]);
}

function columnsOf(t: DeskTexts): readonly Column<StagedChange>[] {
  return [
    [t.text('import.place'), ({ line }) => t.text('import.line', { line })],
    [t.text('import.outcome'), ({ outcome }) => badge(outcome, t.text(`import.outcome.${outcome}`))],
    [
      t.text('property'),
      ({ reference, propertyId }) => (reference ? isolated(reference) : propertyId && shortId(propertyId)),
    ],
    [t.text('workspace'), ({ workspaceName }) => isolated(workspaceName)],
    [t.text('import.values'), (one) => changesOf(t, one)],
  ];
}

/** New values, and the former value of each that replaces one. */
function changesOf(t: DeskTexts, { outcome, changes }: StagedChange): Html {
  const line = ({ name, before, after }: ValueChange) => {
    const value = (given: string | number | null) => {
      if (given === null) return html`${t.text('none')}`;
      return isolated(name === 'rent_amount' ? t.figure(Math.round(Number(given) * 100)) : String(given));
    };
    const label = name === 'workspace' ? t.text('workspace') : t.text(`property.${name}`);
    const former = outcome === 'changed' ? html`<del>${value(before)}</del> ` : undefined;
    return html`<li>${label}: ${former}${value(after)}</li>`;
  };
  const shown = changes.filter(({ name }) => outcome === 'changed' || name !== 'property_reference');
  return html`<ul class="plain">${shown.map(line)}</ul>`;
}
