import { ValidationError } from '../../../../core/errors.ts';
import { type Html, html } from '../../../../core/html.ts';
import {
  type LandlordSettings,
  type LandlordTexts,
  mailSettings,
  readLandlordText,
} from '../../../../core/rules/landlord-settings.ts';
import { usualDocuments } from '../../../../core/rules/wanted-documents.ts';
import { setLandlordSettings } from '../../../../db/access/landlord-settings.ts';
import { findLandlord, lockLandlord } from '../../../../db/access/landlords.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { textIn } from '../../query.ts';
import { action, expectFound, type GoTo, operatorsOnly, type Visit } from '../../route.ts';
import { actionForm, field } from '../../views/forms.ts';
import { facts } from '../../views/parts.ts';

const NAMES: Record<keyof LandlordTexts, readonly [label: string, hint: string]> = {
  contact_name: ['Contact', 'who answers questions'],
  contact_mail: ['E-mail', 'rent@casa-clara.example'],
  contact_phone: ['Phone', '+34 910 000 000'],
  privacy_url: ['Privacy notice', 'https://'],
  imprint_url: ['Imprint', 'https://'],
  documents: [
    'Wanted documents',
    `identity, payslip:3:3, or any, or ${Object.keys(usualDocuments).join(', ')}; empty: what is usual`,
  ],
  guarantor_documents: ['Of guarantors', 'the same'],
  rent_rule: ['Rent and income', '35%, or 3x'],
};

const MAILS: Record<(typeof mailSettings)[number], string> = {
  mails_lead: 'Mail the lead a link when an application is created',
  mails_progress: 'Confirm, and tell when checks are done',
  mails_reminders: 'Remind of what is open, twice at most',
};

const textNames = Object.keys(NAMES).filter((name): name is keyof LandlordTexts => name in NAMES);

/** What applicants read about a landlord, and the form that changes it. */
export function settingsSection(visit: Visit, landlordId: string, settings: LandlordSettings): Html {
  const shown = textNames.map((name): [string, string | null] => [NAMES[name][0], settings[name]]);
  const mails = mailSettings.map((name): [string, string] => [MAILS[name], settings[name] ? 'yes' : 'no']);
  const boxes = mailSettings.map(
    (name) =>
      html`<label><input type="checkbox" name="${name}" value="on"${settings[name] ? html` checked` : undefined}> ${MAILS[name]}</label>`,
  );
  const fields = html`${textNames.map((name) => field(name, NAMES[name][0], settings[name] ?? '', NAMES[name][1]))}${boxes}`;
  return html`<h2>For applicants</h2>
${facts([...shown, ...mails])}
${actionForm(visit, { to: `landlords/${landlordId}/settings`, label: 'Change', fields })}`;
}

export const settingsAction = action(
  '/landlords/:id/settings',
  operatorsOnly,
  async ({ param, actor, form, now }, { db }): Promise<GoTo> => {
    const { id } = expectFound(await findLandlord(db, param('id')), 'Landlord');
    const change = changeIn(form);
    const isChanged = await inTransaction(db, async (trx) => {
      await lockLandlord(trx, id);
      if (!(await setLandlordSettings(trx, id, change))) return false;
      await recordAudit(trx, actor, 'landlord.settings', id, now);
      return true;
    });
    return { goTo: `landlords/${id}`, notice: isChanged ? 'set-up' : 'unchanged' };
  },
);

/** The form holds every setting. @throws ValidationError */
function changeIn(form: URLSearchParams): LandlordSettings {
  const text = (name: keyof LandlordTexts): string | null => {
    const given = textIn(form, name);
    if (given === undefined) return null;
    const { value, fault } = readLandlordText(name, given);
    if (fault !== undefined) throw new ValidationError([], `${NAMES[name][0]}: ${fault}`);
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
