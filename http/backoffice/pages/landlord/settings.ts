import { encodePng } from '@tenant-screening/forensics/encode-png';
import { type Html, html } from '../../../../core/html.ts';
import { readColour } from '../../../../core/rules/brand-colours.ts';
import {
  type LandlordSettings,
  type LandlordTexts,
  mailSettings,
  readLandlordText,
} from '../../../../core/rules/landlord-settings.ts';
import { shownSize } from '../../../../core/rules/logos.ts';
import type { WantedLists } from '../../../../core/rules/wanted-documents.ts';
import type { DeskMessage } from '../../../../core/texts/desk-texts.ts';
import { languageNames, languages } from '../../../../core/texts/languages.ts';
import { brandOf, findLandlordBrand, setLandlordBrand } from '../../../../db/access/landlord-brands.ts';
import { findLandlordSettings, setLandlordSettings } from '../../../../db/access/landlord-settings.ts';
import { findLandlord } from '../../../../db/access/landlords.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import {
  type LogoFault,
  MAX_LOGO_BYTES,
  MAX_LOGO_MEGAPIXELS,
  MAX_LOGO_MIB,
  readLogo,
} from '../../../../jobs/access/logo.ts';
import { oneIn, textIn } from '../../query.ts';
import {
  type Access,
  action,
  expectFound,
  file,
  membersOnly,
  operatorsOnly,
  type Parts,
  page,
  proven,
  Refused,
  type Shown,
  type Visit,
} from '../../route.ts';
import { actionForm, box, choice, field, fileField } from '../../views/forms.ts';
import { both, each, isTicked } from '../given.ts';
import { retentionSection, saveRetention } from './retention.ts';
import { type Home, save } from './save.ts';
import { wantedField, wantedIn } from './wanted-fields.ts';

/** The hint of each setting that is a text, and what is said of a wrong one. */
const TEXTS = {
  contact_name: ['hint.contact_name', 'refused.setting-text'],
  contact_mail: ['hint.contact_mail', 'refused.setting-mail'],
  contact_phone: ['hint.contact_phone', 'refused.setting-phone'],
  privacy_url: ['hint.url', 'refused.setting-url'],
  imprint_url: ['hint.url', 'refused.setting-url'],
  rent_rule: ['hint.rent_rule', 'refused.setting-rule'],
} as const satisfies Record<Exclude<keyof LandlordTexts, ListName>, readonly [hint: DeskMessage, fault: DeskMessage]>;

type TextName = keyof typeof TEXTS;
type ListName = keyof WantedLists;

const textNames = Object.keys(TEXTS).filter((name): name is TextName => name in TEXTS);
const listNames = ['documents', 'guarantor_documents'] as const satisfies readonly ListName[];

/** What applicants read about a landlord, how its pages and mails look, and the forms that change both. */
export async function settingsSection(visit: Visit, parts: Pick<Parts, 'db' | 'retention'>, home: Home): Promise<Html> {
  const { t } = visit;
  const { landlordId, place, texts: textsAt } = home;
  const settings = await findLandlordSettings(parts.db, landlordId);
  const row = await findLandlordBrand(parts.db, landlordId);
  const brand = row && brandOf(row);
  const ruleHelp = t.rich('settings.help.rent_rule', { share: '35%', times: '3x' });
  const texts = textNames.map((name) => {
    const help = name === 'rent_rule' ? { help: ruleHelp } : {};
    return field(name, t.text(`settings.${name}`), {
      ...{ value: settings[name] ?? '', hint: t.text(TEXTS[name][0]) },
      ...help,
    });
  });
  const lists = listNames.map((name) => wantedField(t, name, settings, brand?.language ?? null));
  const mails = mailSettings.map((name) => box(name, t.text(`settings.${name}`), settings[name]));
  const options = languages.map((one) => [one, languageNames[one]] as const);
  const shown = brand?.logo && shownSize(brand.logo);
  const logo = shown
    ? html`<p><img src="${visit.to(`${place}/logo`)}" alt="${t.text('settings.logo')}" width="${shown.width}" height="${shown.height}"></p>`
    : undefined;
  const look = [
    field('colour', t.text('settings.colour'), { value: brand?.colour ?? '', hint: t.text('hint.colour') }),
    choice('language', t.text('settings.language'), options, brand?.language ?? FALLBACK),
    fileField('logo', t.text('settings.logo-file'), 'picture'),
    shown ? box('no_logo', t.text('settings.no-logo')) : undefined,
  ];
  return html`<h2>${t.text('settings.applicants')}</h2>
<p class="lead">${t.text('settings.applicants-text')}</p>
${actionForm(visit, { to: textsAt, label: t.text('settings.save'), fields: [texts, lists, mails], isTall: true })}
<h2>${t.text('settings.brand')}</h2>
${logo}
${actionForm(visit, { to: `${place}/brand`, label: t.text('settings.save-brand'), fields: look, isTall: true, hasFile: true })}
${retentionSection(visit, parts, settings, `${place}/retention`)}`;
}

/** Pages and mails of a landlord without a language are in English. */
const [FALLBACK] = languages;

const admins = membersOnly('admin');

export const deskSettingsRoutes = [
  page('/settings', admins, async (visit, parts) => {
    const main = await settingsSection(visit, parts, ownHome(visit));
    return { title: visit.t.text('section.settings'), main };
  }),
  ...settingsActions({ texts: '/settings', place: '/settings' }, admins, async (visit) => ownHome(visit)),
];

function ownHome({ scope }: Visit<OneLandlord>): Home {
  return { landlordId: scope.landlordId, place: 'settings', texts: 'settings' };
}

const ofLandlord = { texts: '/landlords/:id/settings', place: '/landlords/:id' };

export const landlordSettingsActions = settingsActions(ofLandlord, operatorsOnly, async ({ param }, { db }) => {
  const { id } = expectFound(await findLandlord(db, param('id')), 'Landlord');
  return homeOfLandlord(id);
});

export function homeOfLandlord(id: string): Home {
  return { landlordId: id, place: `landlords/${id}`, texts: `landlords/${id}/settings` };
}

/** What the forms of `settingsSection` do, at these paths. @param homeOf the landlord whose settings they are */
function settingsActions<Given extends Visit>(
  { texts, place }: Omit<Home, 'landlordId'>,
  access: Access<Given>,
  homeOf: (visit: Given, parts: Parts) => Promise<Home>,
) {
  return [
    action(texts, access, async (visit, parts) => {
      const home = await homeOf(visit, parts);
      const change = settingsIn(visit);
      return save(visit, parts, ['landlord.settings', home], (trx) =>
        setLandlordSettings(trx, home.landlordId, change),
      );
    }),
    action(
      `${place}/brand`,
      access,
      async (visit, parts) => {
        const home = await homeOf(visit, parts);
        const change = await brandIn(visit, parts);
        return save(visit, parts, ['landlord.brand', home], (trx) => setLandlordBrand(trx, home.landlordId, change));
      },
      { maxFileBytes: MAX_LOGO_BYTES },
    ),
    file(`${place}/logo`, access, async (visit, parts) => logoOf(parts, await homeOf(visit, parts))),
    action(`${place}/retention`, proven(access), async (visit, parts) =>
      saveRetention(visit, parts, await homeOf(visit, parts)),
    ),
  ];
}

/** @throws Refused */
async function brandIn(visit: Visit, parts: Pick<Parts, 'forensics'>) {
  const { form, file: fileIn, t } = visit;
  const asked = oneIn(form, 'language', languages);
  // What is chosen at first: saving another part of the look changes no language.
  const language = asked === undefined || asked === FALLBACK ? null : asked;
  const chosen = fileIn('logo');
  const read = chosen ? await readLogo(parts, chosen) : isTicked(visit, 'no_logo') ? null : undefined;
  const [colour, logo] = both(
    () => {
      const given = textIn(form, 'colour');
      const known = given === undefined ? null : readColour(given);
      if (known === undefined) throw new Refused(400, t, 'refused.colour', {}, 'colour');
      return known;
    },
    () => {
      if (typeof read === 'string') throw new Refused(400, t, LOGO_FAULTS[read], SIZES);
      return read;
    },
  );
  return { colour, language, logo };
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
} as const satisfies Record<LogoFault, DeskMessage>;

/** A white dot while there is none. */
async function logoOf({ db }: Pick<Parts, 'db'>, { landlordId }: Home): Promise<Shown> {
  const none = { width: 1, height: 1, data: Uint8Array.of(255, 255, 255) };
  const logo = (await findLandlordBrand(db, landlordId))?.logo ?? Buffer.from(encodePng(none));
  return { type: 'image/png', content: logo, policy: "default-src 'none'; sandbox; frame-ancestors 'none'" };
}

/** The form holds every setting but the periods. @throws Refused */
function settingsIn(visit: Visit): Partial<LandlordSettings> {
  const { form, t } = visit;
  const settings: Partial<LandlordSettings> = {};
  each([...textNames, ...listNames], (name) => {
    const isList = name === 'documents' || name === 'guarantor_documents';
    const given = isList ? wantedIn(form, name) : textIn(form, name);
    const { value, fault } = given === undefined ? { value: null } : readLandlordText(name, given);
    const refusal = isList ? 'refused.setting-documents' : TEXTS[name][1];
    if (fault !== undefined) throw new Refused(400, t, refusal, { name: t.text(`settings.${name}`) }, name);
    settings[name] = value;
  });
  for (const name of mailSettings) settings[name] = isTicked(visit, name);
  return settings;
}
