import { type Html, html, isolated } from '../../../../core/html.ts';
import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import type { StagedChange, ValueChange } from '../../../../db/properties/staged-properties.ts';
import { importTable, type TableImport as Result } from '../../../../jobs/properties/import-table.ts';
import type { Parts, Visit } from '../../route.ts';
import { badge, facts, table } from '../../views/parts.ts';
import { confirmation, importRoutes, type ShownFault, type TableImport } from '../table-import.ts';
import { MAX_WORKSPACES, propertyFields } from './property-fields.ts';

type Of = Visit<OneLandlord>;

const properties: TableImport = {
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
  async preview(visit, parts, csv) {
    const result = await run(visit, parts, csv, true);
    const faults = faultsOf(visit, result);
    return faults.length > 0 ? { faults } : { content: previewOf(visit, csv, result) };
  },
  async create(visit, parts, csv) {
    const result = await run(visit, parts, csv, false);
    const faults = faultsOf(visit, result);
    return faults.length > 0 ? { faults } : { content: doneOf(visit, result) };
  },
};

export const propertyImport = importRoutes(properties);

function run({ scope, actor }: Of, parts: Parts, csv: string, isPreview: boolean): Promise<Result> {
  const order = { landlordId: scope.landlordId, actor, maxWorkspaces: MAX_WORKSPACES, isPreview };
  return importTable(parts, order, csv);
}

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

function previewOf(visit: Of, csv: string, result: Result): Html {
  const { t } = visit;
  const { added, changed } = result.counts.properties;
  const { added: newOnes, changed: renamed } = result.counts.workspaces;
  if (added + changed + newOnes + renamed === 0)
    return html`<p class="lead">${t.text('import.nothing')}</p>${countsOf(t, result)}`;
  const rows = result.shown.map((one) => [
    t.text('import.line', { line: one.line }),
    badge(one.outcome, t.text(`import.outcome.${one.outcome}`)),
    isolated(one.reference || one.propertyId || ''),
    isolated(one.workspaceName),
    changesOf(t, one),
  ]);
  const names = [
    ...[t.text('import.place'), t.text('import.outcome'), t.text('property')],
    ...[t.text('workspace'), t.text('import.values')],
  ];
  const more = added + changed - rows.length;
  return html`<p class="lead">${t.text('import.properties-ready')}</p>
${countsOf(t, result)}
${confirmation(visit, properties, csv, t.text('import.properties-create'))}
${rows.length > 0 ? table(t.text('import.preview'), names, rows) : undefined}
${more > 0 ? html`<p>${t.text('import.more', { count: more })}</p>` : undefined}`;
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

function doneOf({ t, to }: Of, result: Result): Html {
  return html`<p class="lead" role="status">${t.text('import.properties-done')}</p>
${countsOf(t, result)}
<p><a class="button" href="${to('properties')}">${t.text('section.properties')}</a></p>`;
}
