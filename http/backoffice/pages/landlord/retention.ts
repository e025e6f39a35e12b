import { type Html, html } from '../../../../core/html.ts';
import {
  type LandlordPeriods,
  NO_SETTINGS,
  periodNames,
  periodSettings,
} from '../../../../core/rules/landlord-settings.ts';
import { MAX_DAYS, readDays } from '../../../../core/settings/retention-settings.ts';
import { findLandlordSettings, periodsOf, setLandlordSettings } from '../../../../db/access/landlord-settings.ts';
import { dueForLandlord } from '../../../../jobs/privacy/retain.ts';
import { textIn } from '../../query.ts';
import { type GoTo, type Page, type Parts, Refused, type Visit } from '../../route.ts';
import { actionForm, field, hidden } from '../../views/forms.ts';
import { facts, link } from '../../views/parts.ts';
import { each } from '../given.ts';
import { type Home, save } from './save.ts';

/** The preview counts up to this for each kind of data and API key. */
const MAX_COUNTED = 1_000;

/** The form for the days after which the landlord's data is deleted. */
export function retentionSection(
  visit: Visit,
  { retention }: Pick<Parts, 'retention'>,
  periods: LandlordPeriods,
  to: string,
): Html {
  const { t } = visit;
  const fields = periodNames.map((name) => {
    const days = retention[periodSettings[name]];
    const hint = days === undefined ? t.text('hint.days-never') : t.text('hint.days', { days });
    return field(name, t.text(`settings.${name}`), { value: String(periods[name] ?? ''), hint });
  });
  return html`<h2>${t.text('settings.retention')}</h2>
<p class="lead">${t.text('settings.retention-text')}</p>
${actionForm(visit, { to, label: t.text('settings.save-retention'), fields, isTall: true })}`;
}

/** Saves the periods; shorter ones only after a page has shown what they delete. @throws Refused */
export async function saveRetention(
  visit: Visit,
  parts: Pick<Parts, 'db' | 'retention' | 'now'>,
  home: Home,
): Promise<GoTo | Page> {
  const { landlordId } = home;
  const before = await findLandlordSettings(parts.db, landlordId);
  const periods = periodsIn(visit, parts);
  const isShorter = periodNames.some((name) => (periods[name] ?? Infinity) < (before[name] ?? Infinity));
  if (isShorter && visit.form.get('confirmed') !== 'yes') return previewOf(visit, parts, home, periods);
  return save(visit, parts, ['landlord.retention', home], (trx) => setLandlordSettings(trx, landlordId, periods));
}

async function previewOf(
  visit: Visit,
  parts: Pick<Parts, 'db' | 'retention' | 'now'>,
  { landlordId, place }: Home,
  periods: LandlordPeriods,
): Promise<Page> {
  const { t, to } = visit;
  const due = await dueForLandlord(parts, { landlordId, periods }, MAX_COUNTED);
  const shown = periodNames.flatMap((name) => {
    const count = due.get(name);
    return count === undefined ? [] : [[t.text(`settings.${name}`), counted(visit, count)] as const];
  });
  const given = Object.fromEntries(periodNames.map((name) => [name, String(periods[name] ?? '')]));
  const title = t.text('retention.title');
  const main = html`<p class="lead">${t.text('retention.text')}</p>
${facts(shown)}
${actionForm(visit, { to: `${place}/retention`, label: t.text('retention.confirm'), fields: [hidden({ ...given, confirmed: 'yes' })], final: 'asked' })}`;
  return { title, above: [link(to(place), t.text('section.settings'))], main };
}

function counted({ t }: Visit, count: number): string {
  return count < MAX_COUNTED ? t.text('retention.count', { count }) : t.text('retention.many', { count: MAX_COUNTED });
}

/** @throws Refused */
function periodsIn({ form, t }: Visit, { retention }: Pick<Parts, 'retention'>): LandlordPeriods {
  const periods = periodsOf(NO_SETTINGS);
  each(periodNames, (name) => {
    const given = textIn(form, name);
    if (given === undefined) return;
    const limit = retention[periodSettings[name]] ?? MAX_DAYS;
    const days = readDays(given, limit);
    if (days === undefined)
      throw new Refused(400, t, 'refused.setting-days', { name: t.text(`settings.${name}`), limit }, name);
    periods[name] = days;
  });
  return periods;
}
