import { encodePng } from '@tenant-screening/forensics/encode-png';
import { type Html, html } from '../../../../core/html.ts';
import { readColour } from '../../../../core/rules/brand-colours.ts';
import {
  type LandlordSettings,
  type LandlordTexts,
  mailSettings,
  type PeriodSetting,
  readLandlordText,
} from '../../../../core/rules/landlord-settings.ts';
import { shownSize } from '../../../../core/rules/logos.ts';
import { usualDocuments } from '../../../../core/rules/wanted-documents.ts';
import { languageNames, languages } from '../../../../core/texts/languages.ts';
import { brandOf, findLandlordBrand, setLandlordBrand } from '../../../../db/access/landlord-brands.ts';
import { findLandlordSettings, setLandlordSettings } from '../../../../db/access/landlord-settings.ts';
import { findLandlord } from '../../../../db/access/landlords.ts';
import {
  type LogoFault,
  MAX_LOGO_BYTES,
  MAX_LOGO_MEGAPIXELS,
  MAX_LOGO_MIB,
  readLogo,
} from '../../../../jobs/access/logo.ts';
import { oneIn, textIn } from '../../query.ts';
import {
  action,
  expectFound,
  file,
  type GoTo,
  membersOnly,
  operatorsOnly,
  type Parts,
  page,
  Refused,
  type Shown,
  type Visit,
} from '../../route.ts';
import { actionForm, choice, field, fileField } from '../../views/forms.ts';
import { retentionSection, saveRetention } from './retention.ts';
import { save } from './save.ts';

const LABELS = {
  contact_name: ['settings.contact_name', 'hint.contact_name'],
  contact_mail: ['settings.contact_mail', 'hint.contact_mail'],
  contact_phone: ['settings.contact_phone', 'hint.contact_phone'],
  privacy_url: ['settings.privacy_url', 'hint.url'],
  imprint_url: ['settings.imprint_url', 'hint.url'],
  documents: ['settings.documents', 'hint.documents'],
  guarantor_documents: ['settings.guarantor_documents', 'hint.documents'],
  rent_rule: ['settings.rent_rule', 'hint.rent_rule'],
} as const satisfies Record<keyof LandlordTexts, unknown>;

const FAULTS = {
  contact_name: 'refused.setting-text',
  contact_mail: 'refused.setting-mail',
  contact_phone: 'refused.setting-phone',
  privacy_url: 'refused.setting-url',
  imprint_url: 'refused.setting-url',
  documents: 'refused.setting-documents',
  guarantor_documents: 'refused.setting-documents',
  rent_rule: 'refused.setting-rule',
} as const satisfies Record<keyof LandlordTexts, unknown>;

const textNames = Object.keys(LABELS).filter((name): name is keyof LandlordTexts => name in LABELS);

/** What applicants read about a landlord, how its pages and mails look, and the forms that change both. @param place of the actions */
export async function settingsSection(
  visit: Visit,
  parts: Pick<Parts, 'db' | 'retention'>,
  landlordId: string,
  place: Record<'settings' | 'brand' | 'logo' | 'retention', string>,
): Promise<Html> {
  const { db } = parts;
  const { t } = visit;
  const settings = await findLandlordSettings(db, landlordId);
  const row = await findLandlordBrand(db, landlordId);
  const brand = row && brandOf(row);
  const boxes = mailSettings.map(
    (name) =>
      html`<label><input type="checkbox" name="${name}" value="on"${settings[name] ? html` checked` : undefined}> ${t.text(`settings.${name}`)}</label>`,
  );
  const texts = textNames.map((name) => {
    const [label, hint] = LABELS[name];
    return field(name, t.text(label), settings[name] ?? '', t.text(hint));
  });
  const options = [['', languageNames.en] as const, ...languages.map((one) => [one, languageNames[one]] as const)];
  const shown = brand?.logo && shownSize(brand.logo);
  const logo = shown
    ? html`<p><img src="${visit.to(place.logo)}" alt="${t.text('settings.logo')}" width="${shown.width}" height="${shown.height}"></p>`
    : undefined;
  const logoFields = html`${fileField('logo', t.text('settings.logo-file'), 'picture')}${brand?.logo ? html`<label><input type="checkbox" name="no_logo" value="on"> ${t.text('settings.no-logo')}</label>` : undefined}`;
  const look = html`${field('colour', t.text('settings.colour'), brand?.colour ?? '', t.text('hint.colour'))}${choice('language', t.text('settings.language'), options, brand?.language ?? '')}${logoFields}`;
  return html`<h2>${t.text('settings.applicants')}</h2>
<p class="lead">${t.text('settings.applicants-text')}</p>
${actionForm(visit, { to: place.settings, label: t.text('settings.save'), fields: html`${texts}${boxes}`, isTall: true })}
<h2>${t.text('settings.brand')}</h2>
${logo}
${actionForm(visit, { to: place.brand, label: t.text('settings.save-brand'), fields: look, isTall: true, hasFile: true })}
${retentionSection(visit, parts, settings, place.retention)}`;
}

const admins = membersOnly('admin');

export const deskSettingsRoutes = [
  page('/settings', admins, async (visit, parts) => {
    const { t, scope } = visit;
    const place = {
      settings: 'settings',
      brand: 'settings/brand',
      logo: 'settings/logo',
      retention: 'settings/retention',
    };
    const main = html`<h1>${t.text('section.settings')}</h1>
${await settingsSection(visit, parts, scope.landlordId, place)}`;
    return { title: t.text('section.settings'), main };
  }),
  action('/settings', admins, async (visit, parts): Promise<GoTo> => {
    return { goTo: 'settings', notice: await saveSettings(visit, parts, visit.scope.landlordId) };
  }),
  action(
    '/settings/brand',
    admins,
    async (visit, parts): Promise<GoTo> => {
      return { goTo: 'settings', notice: await saveBrand(visit, parts, visit.scope.landlordId) };
    },
    { maxFileBytes: MAX_LOGO_BYTES },
  ),
  file('/settings/logo', admins, ({ scope }, parts) => logoOf(parts, scope.landlordId)),
  action(
    '/settings/retention',
    admins,
    (visit, parts) => saveRetention(visit, parts, { landlordId: visit.scope.landlordId, goTo: 'settings' }),
    { needsProof: true },
  ),
];

export const landlordSettingsActions = [
  action('/landlords/:id/settings', operatorsOnly, async (visit, parts): Promise<GoTo> => {
    const { id } = expectFound(await findLandlord(parts.db, visit.param('id')), 'Landlord');
    return { goTo: `landlords/${id}`, notice: await saveSettings(visit, parts, id) };
  }),
  action(
    '/landlords/:id/brand',
    operatorsOnly,
    async (visit, parts): Promise<GoTo> => {
      const { id } = expectFound(await findLandlord(parts.db, visit.param('id')), 'Landlord');
      return { goTo: `landlords/${id}`, notice: await saveBrand(visit, parts, id) };
    },
    { maxFileBytes: MAX_LOGO_BYTES },
  ),
  file('/landlords/:id/logo', operatorsOnly, ({ param }, parts) => logoOf(parts, param('id'))),
  action(
    '/landlords/:id/retention',
    operatorsOnly,
    async (visit, parts) => {
      const { id } = expectFound(await findLandlord(parts.db, visit.param('id')), 'Landlord');
      return saveRetention(visit, parts, { landlordId: id, goTo: `landlords/${id}` });
    },
    { needsProof: true },
  ),
];

function saveSettings(visit: Visit, parts: Pick<Parts, 'db'>, landlordId: string) {
  const change = settingsIn(visit);
  return save(visit, parts, ['landlord.settings', landlordId], (trx) => setLandlordSettings(trx, landlordId, change));
}

/** @throws Refused */
async function saveBrand(visit: Visit, parts: Pick<Parts, 'db' | 'forensics'>, landlordId: string) {
  const { form, file: fileIn, t } = visit;
  const given = textIn(form, 'colour');
  const colour = given === undefined ? null : readColour(given);
  if (colour === undefined) throw new Refused(400, t, 'refused.colour');
  const language = oneIn(form, 'language', languages) ?? null;
  const chosen = fileIn('logo');
  const logo = chosen ? await readLogo(parts, chosen) : form.get('no_logo') === 'on' ? null : undefined;
  if (typeof logo === 'string') throw new Refused(400, t, LOGO_FAULTS[logo], SIZES);
  return save(visit, parts, ['landlord.brand', landlordId], (trx) =>
    setLandlordBrand(trx, landlordId, { colour, language, logo }),
  );
}

const SIZES = { mebibytes: MAX_LOGO_MIB, megapixels: MAX_LOGO_MEGAPIXELS };
const LOGO_FAULTS = {
  empty: 'refused.logo-damaged',
  heavy: 'refused.logo-large',
  vector: 'refused.logo-kind',
  kind: 'refused.logo-kind',
  large: 'refused.logo-large',
  damaged: 'refused.logo-damaged',
  transparent: 'refused.logo-transparent',
} as const satisfies Record<LogoFault, unknown>;

/** A white dot while there is none. */
async function logoOf({ db }: Pick<Parts, 'db'>, landlordId: string): Promise<Shown> {
  const none = { width: 1, height: 1, data: Uint8Array.of(255, 255, 255) };
  const logo = (await findLandlordBrand(db, landlordId))?.logo ?? Buffer.from(encodePng(none));
  return { type: 'image/png', content: logo, policy: "default-src 'none'; sandbox; frame-ancestors 'none'" };
}

/** The form holds every setting but the periods. @throws Refused */
function settingsIn({ form, t }: Visit): Omit<LandlordSettings, PeriodSetting> {
  const text = (name: keyof LandlordTexts): string | null => {
    const given = textIn(form, name);
    if (given === undefined) return null;
    const { value, fault } = readLandlordText(name, given);
    const countries = Object.keys(usualDocuments).join(', ');
    if (fault !== undefined) throw new Refused(400, t, FAULTS[name], { name: t.text(LABELS[name][0]), countries });
    return value;
  };
  return {
    contact_name: text('contact_name'),
    contact_mail: text('contact_mail'),
    contact_phone: text('contact_phone'),
    privacy_url: text('privacy_url'),
    imprint_url: text('imprint_url'),
    documents: text('documents'),
    guarantor_documents: text('guarantor_documents'),
    rent_rule: text('rent_rule'),
    mails_lead: form.get('mails_lead') === 'on',
    mails_progress: form.get('mails_progress') === 'on',
    mails_reminders: form.get('mails_reminders') === 'on',
  };
}
