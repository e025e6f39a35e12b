import { ValidationError } from '../../../../core/errors.ts';
import { type Html, html, isolated } from '../../../../core/html.ts';
import { findKeysOfLandlord } from '../../../../db/access/api-keys.ts';
import { findLandlord, type LandlordRow } from '../../../../db/access/landlords.ts';
import type { Database } from '../../../../db/connection/database.ts';
import { findPerson } from '../../../../db/privacy/persons.ts';
import type { Receipt } from '../../../../jobs/privacy/erase-receipt.ts';
import { copyForOperator, eraseForOperator, erasureWarning } from '../../../../jobs/privacy/operator-requests.ts';
import { copyTurns, readInTurns } from '../../../edge/copy-turns.ts';
import { textIn } from '../../query.ts';
import { action, expectFound, operatorsOnly, type Page, page, proven, type Visit } from '../../route.ts';
import { actionForm, type Field, field, filterForm, hidden } from '../../views/forms.ts';
import { type Column, link, table } from '../../views/parts.ts';

interface About {
  /** An id or an e-mail address. */
  who: string;
  /** Limits the data to what this landlord holds. */
  landlordId: string | undefined;
}

/** Exports that are open at once: by all operators, and by one. */
const OPEN = { atOnce: 20, ofOneParty: 2, waits: { at: 'copies', maxWaiting: 10, waitMs: 10_000 } } as const;
const turns = copyTurns(OPEN);

export const personalDataRoutes = [
  page('/privacy/person', operatorsOnly, async (visit, { db }) => {
    if (textIn(visit.query, 'who') === undefined) return searchPage(visit);
    const { about, landlord, scope } = await readAbout(db, visit.query);
    const { account, participations } = await findPerson(db, about.who, scope);
    const email = account?.email ?? participations[0]?.email ?? about.who;
    const main = html`<p class="lead">${landlord ? html`What ${isolated(landlord.name)} holds about them.` : 'All that is held about them, for every landlord.'}</p>
${aboutPerson(visit, about)}`;
    return { title: 'Data of a person', heading: isolated(email), above: [link(visit.to('privacy'), 'Privacy')], main };
  }),
  action('/privacy/export', proven(operatorsOnly), async ({ form, actor }, console) => {
    const { about, scope } = await readAbout(console.db, form);
    const end = await turns.open.wait();
    try {
      const { held, content } = await turns.work(() => copyForOperator(console, about.who, { by: actor, scope }));
      const archive = content();
      const done = () => {
        archive.destroy();
        end();
      };
      return { fileName: `person-${held.id}.zip`, content: readInTurns(archive, turns), done };
    } catch (error) {
      end();
      throw error;
    }
  }),
  action('/privacy/preview', proven(operatorsOnly), async (visit, console) => {
    const { about, landlord, scope } = await readAbout(console.db, visit.form);
    const receipt = await eraseForOperator(console, about.who, { by: visit.actor, scope, dryRun: true });
    if (typeof receipt === 'string') return nothingHeld(visit, receipt);
    const warning = erasureWarning(landlord !== undefined);
    const main = html`<p class="lead">${landlord ? html`What ${isolated(landlord.name)} holds. ` : undefined}Nothing was changed yet.</p>
${receiptView(receipt, 'Would be erased')}
<h2>Continue</h2>
<p class="lead">${warning}</p>
${actionForm(visit, { to: 'privacy/erase', label: 'Erase', fields: [of(about), field('confirm', 'Type yes to continue', { isRequired: true })], final: 'asked' })}`;
    return {
      title: 'Erase a person',
      heading: html`Erase ${isolated(about.who)}`,
      above: [link(visit.to('privacy'), 'Privacy')],
      main,
    };
  }),
  action('/privacy/erase', proven(operatorsOnly), async (visit, console) => {
    const { about, scope } = await readAbout(console.db, visit.form);
    if (textIn(visit.form, 'confirm')?.toLowerCase() !== 'yes')
      throw new ValidationError([], 'Nothing was changed: type yes to confirm.');
    const receipt = await eraseForOperator(console, about.who, { by: visit.actor, scope });
    if (typeof receipt === 'string') return nothingHeld(visit, receipt);
    const main = html`<p class="lead">Tell the person. Keep the receipt, which holds no personal data and is not shown again.</p>
${receiptView(receipt, 'Erased')}
<h2>Receipt</h2>
<pre tabindex="0">${JSON.stringify(receipt, null, 2)}</pre>`;
    return {
      title: 'Erased',
      heading: html`The person was erased`,
      above: [link(visit.to('privacy'), 'Privacy')],
      main,
    };
  }),
];

function searchPage({ to }: Visit): Page {
  const main = html`${personSearch(to)}`;
  return { title: 'Data of a person', above: [link(to('privacy'), 'Privacy')], main };
}

export function personSearch(to: Visit['to']): Html {
  const fields = [
    field('who', 'Person', { hint: 'e-mail address or id', isRequired: true }),
    field('landlord', 'Only what this landlord holds', { hint: 'landlord id (optional)' }),
  ];
  return filterForm(to('privacy/person'), fields);
}

/** Forms to export and to erase. */
export function aboutPerson(visit: Visit, about: About): Html | undefined {
  if (!visit.may('POST', 'privacy/export')) return undefined;
  return html`<h2>Export</h2>
<p class="lead">A ZIP file with the documents, decrypted. Keep it safe. The download is recorded.</p>
${actionForm(visit, { to: 'privacy/export', label: 'Download', fields: [of(about)] })}
<h2>Erase</h2>
<p class="lead">Preview what would be erased, what stays, and what is left for you to do.</p>
${actionForm(visit, { to: 'privacy/preview', label: 'See what would be erased', fields: [of(about)] })}`;
}

function of({ who, landlordId = '' }: About): Field {
  return hidden({ who, landlord: landlordId });
}

/** @throws NotFound when there is no such landlord */
async function readAbout(db: Database, values: URLSearchParams) {
  const [who, landlordId] = [textIn(values, 'who'), textIn(values, 'landlord')];
  if (who === undefined) throw new ValidationError([], 'Name the person, by e-mail address or id.');
  const about: About = { who, landlordId };
  if (landlordId === undefined) return { about, landlord: undefined, scope: {} };
  const landlord: LandlordRow = expectFound(await findLandlord(db, landlordId), 'Landlord');
  return { about, landlord, scope: { apiKeyIds: await findKeysOfLandlord(db, landlord.id) } };
}

function nothingHeld({ to }: Visit, state: 'complete' | 'incomplete'): Page {
  const main = html`<p class="lead">${state === 'complete' ? 'Nothing was changed.' : 'Bytes of deleted rows are still in the file of SQLite: another process used it for too long. Erase once more to wipe them.'}</p>
<p>${link(to('privacy'), 'Continue')}</p>`;
  return { title: 'Nothing is held', heading: html`Nothing is held about this person`, main };
}

function receiptView({ counts, left, to_do }: Receipt, title: string): Html {
  const columns: readonly Column<[string, number]>[] = [
    [title, ([what]) => what.replaceAll('_', ' ')],
    ['Number', ([, count]) => count],
  ];
  const items = (texts: readonly string[]) => html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
  return html`${table(title, columns, Object.entries(counts))}
<h2>What stays</h2>
${items(left)}
<h2>What you must do</h2>
${items(to_do)}`;
}
