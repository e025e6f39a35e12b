import { expect } from 'chai';
import { setLandlordBrand } from '../../db/access/landlord-brands.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { barriersOn, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { send } from '../../harness/service/client.ts';
import { invitationPath, onboardingPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { invitationMail } from '../../jobs/invitations/invitation-mail.ts';
import type { MailSubject } from '../../jobs/invitations/mail-words.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { pagesIn } from './gallery.ts';
import { isRead, tabTo } from './keyboard.ts';
import { messageNames, observedEnglish, pseudoLanguage } from './pseudo-language.ts';

databases('either');

const facts = {
  title: '字',
  inviter: '字',
  landlord: '字',
  brand: { colour: '#ffff00', logo: null },
  link: 'https://screening.example/invitation/x',
  validUntil: new Date('2026-03-01T10:00:00Z'),
};

/** The invitation, and what later mails are about. */
const everyMail: MailSubject[] = [
  {},
  { isGuarantor: true },
  { about: 'link' },
  { about: 'role' },
  { about: 'role', isGuarantor: true },
  { about: 'confirmation' },
  { about: 'reminder', missing: ['profile', 'documents'] },
  { about: 'request', request: { type: 'payslip', reason: '字' } },
  { about: 'request' },
  { about: 'result' },
];

/** The gallery shows some of these: the frame of a page, and messages that the code chooses between. */
const ONE_OF_MANY =
  /^(?:(?:page|contact|reason|fault)[.]|documents[.]refused[.]|data[.](?:status|event|consent)[.]|kyc[.](?:capture|taken)[.]|data[.](?:removed|newest|file)$|agreement[.]who-checks-|bank[.](?:ended[.]|no-|who-reads-|how-long-|(?:many|account|slow|unnamed)$))/;

describe('the languages of pages and mails', () => {
  let chromium: TestBrowser;
  const test = useService({ RUN_WORKERS: 'false' });
  before(async () => {
    chromium = await launchBrowser();
  });
  after(() => chromium?.stop());

  const application = async (guest: string) => {
    const tenants = [guest, `lead-of-${guest}`].map((email) => ({ email, is_lead: email !== guest }));
    return (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data.application_id;
  };
  const get = (path: string, headers: Record<string, string> = {}) =>
    send(test.service.url, 'GET', path, { accept: 'text/html', ...headers });
  const languageOf = async (path: string, headers: Record<string, string> = {}) => {
    const { headers: told, text } = await get(path, headers);
    expect(/<html lang="(.*?)" dir="ltr">/.exec(text)?.[1]).to.equal(told['content-language']);
    return told['content-language'];
  };

  it('are chosen by the address, then the stored choice, then the browser, and default to English', async () => {
    const link = await invitationPath(test, await application('choice@mail.example'), 'choice@mail.example');
    const accepting = (languages: string) => ({ 'accept-language': languages });
    expect(await languageOf(link)).to.equal('en');
    expect(await languageOf(link, accepting('ca-ES, es;q=0.8'))).to.equal('ca');
    expect(await languageOf(link, accepting('gl, pt-BR;q=0.5, en;q=0.2'))).to.equal('pt');
    expect(await languageOf(link, accepting('sv'))).to.equal('en');
    // A header of thousands of languages costs no more than that of a browser.
    expect(await languageOf(link, accepting(`${'sv,'.repeat(1_000)}de`))).to.equal('en');
    expect(await languageOf(link, { ...accepting('de'), cookie: 'lang=fr' })).to.equal('fr');
    expect(await languageOf(`${link}?lang=es-MX`, { ...accepting('de'), cookie: 'lang=fr' })).to.equal('es');
    expect(await languageOf(`${link}?lang=xx`, accepting('de'))).to.equal('de');
    expect(await languageOf('/invitation/none?lang=fr')).to.equal('fr');
    expect(await languageOf('/verify/kyc/none?lang=ca')).to.equal('ca');
    expect(await languageOf('/verify/eid/none', accepting('pt'))).to.equal('pt');
  });

  it('follow every address of a journey, its redirects and errors, and messages from scripts', async () => {
    const id = await application('journey@mail.example');
    const link = await invitationPath(test, id, 'journey@mail.example');
    const lead = await onboardingPath(test, id, 'lead-of-journey@mail.example');
    const kept = async (path: string) => {
      const { text } = await get(path);
      const addresses = [...text.matchAll(/ (?:href|action|data-pieces)="(?!\?lang=|[^"]*\/assets\/)(.*?)"/g)];
      expect(addresses.map(([, address]) => address).filter((one) => !one?.includes('?lang=ca'))).to.deep.equal([]);
      return text;
    };
    await kept(`${lead}?lang=ca`);
    const wrong = await submit(test, `${link}?lang=ca`, { answer: 'maybe' });
    expect(wrong.text).to.include('<strong>Error:</strong> <bdi>Indiqueu si accepteu o rebutgeu la invitació.');
    const accepted = await submit(test, `${link}?lang=ca`, { answer: 'accept' });
    expect(accepted.headers['location']).to.match(/\?lang=ca#step$/);
    await submit(test, `${link}?lang=ca`, { name: 'Jordi Puig' });
    for (const below of ['', '/documents', '/data']) await kept(`${link}${below}?lang=ca`);
    const form = new FormData();
    form.append('type', 'payslip');
    form.append('file', new Blob(['']), 'empty.pdf');
    const answer = await fetch(`${test.service.url}${link}/documents?lang=ca`, {
      method: 'POST',
      body: form,
      headers: { accept: 'application/json' },
    });
    expect(await answer.text()).to.include('El fitxer és buit.');
  });

  it('are kept when a provider returns to its own address', async () => {
    await application('abroad@mail.example');
    const params = { tenantId: (await test.tenant('abroad@mail.example')).id };
    const body = { redirect_url: 'https://letting.example/back' };
    const { verification_link } = (await test.alice.ok('initiateEid', { params, body })).data;
    const browser = new WebBrowser();
    await browser.agree(`${verification_link}?lang=fr`);
    const provider = await browser.follow(`${verification_link}?lang=fr`);
    expect(provider.text).to.include('Confirmer mon identité');
    const cancel = /href="(callback[^"]*result=cancelled)"/.exec(provider.text)?.[1]?.replaceAll('&#38;', '&');
    const end = await browser.follow(new URL(String(cancel), provider.url).href);
    expect(end.text).to.include('<html lang="fr"').and.include('La connexion a été annulée');
  });

  it('are stored with the text to which a person agreed', async () => {
    await application('agrees@mail.example');
    const { id } = await test.tenant('agrees@mail.example');
    const { verification_url } = (await test.alice.ok('initiateKyc', { params: { tenantId: id } })).data;
    await new WebBrowser().agree(`${verification_url}?lang=de`);
    const row = await test.service.runtime.db('kyc_verifications').where({ tenant_id: id }).first('agreed_to');
    expect(row?.agreed_to).to.match(/^Wer fragt: Casa Clara, für Ihre Mietbewerbung\./);
  });

  it('of mails are the landlord’s', async () => {
    const { db } = test.service.runtime;
    await inTransaction(db, (trx) => setLandlordBrand(trx, test.landlords.ours, { language: 'es' }));
    const applicationId = await application('correo@mail.example');
    const { id } = (await db('invites')
      .join('participants', 'participants.id', 'invites.participant_id')
      .where({ application_id: applicationId, email: 'correo@mail.example' })
      .first('invites.id')) ?? { id: '' };
    await workOn(test.service.runtime, 'send-invite', id);
    const mail = await test.service.runtime.providers.mailbox?.read(id);
    expect(mail?.subject).to.equal('Invitación para solicitar una vivienda que alquila Casa Clara');
    expect(mail?.text).to.include('Vea de qué se trata');
    expect(mail?.html).to.include('<html lang="es" dir="ltr">');
    await inTransaction(db, (trx) => setLandlordBrand(trx, test.landlords.ours, { language: null }));
  });

  it('cover every mail, with all text from the catalogues', () => {
    for (const mail of everyMail) {
      const { subject, text, html } = invitationMail(pseudoLanguage(), { ...facts, ...mail });
      const shown = html.replace(/<style>.*?<\/style>|<!doctype html>/gs, '').replace(/<[^>]*>/g, ' ');
      for (const part of [subject, text, shown]) {
        const own = part.replaceAll(`${facts.link}/reminders`, '').replaceAll(facts.link, '');
        expect(own.replaceAll('Tenant Screening', '').replaceAll('(UTC)', '')).to.not.match(/[a-z]/i);
      }
      expect(html).to.include('<html lang="ar-XB" dir="rtl">');
    }
  });

  it('contain no unused message, and the gallery shows each', () => {
    const { texts, used } = observedEnglish();
    pagesIn(texts);
    for (const inviter of [null, 'Marta'])
      for (const landlord of ['', 'Casa Clara'])
        for (const mail of everyMail) invitationMail(texts, { ...facts, ...mail, inviter, landlord });
    const left = messageNames().filter((name) => !used.has(name));
    expect(left.filter((name) => !ONE_OF_MANY.test(name))).to.deep.equal([]);
  });

  it('can be changed on the page, and the whole journey can be completed by keyboard', async () => {
    const { url } = test.service;
    const link = await invitationPath(test, await application('teclado@mail.example'), 'teclado@mail.example');
    const options = { locale: 'pt-PT' };
    const { page, problems } = await visit(chromium.browser, `${url}${link}`, [url], options);
    const press = async (name: string | RegExp) => {
      await tabTo(page, name);
      await page.keyboard.press('Enter');
    };
    await page.getByRole('button', { name: 'Aceitar' }).waitFor();
    await press('Idioma: Português');
    await press('Español');
    await page.getByRole('button', { name: 'Aceptar' }).waitFor();
    await press('Aceptar');
    await isRead(page, 'Complete su perfil');
    await tabTo(page, 'Nombre completo');
    await page.keyboard.type('María Núñez');
    await press('Confirmar');
    await isRead(page, 'Su solicitud');
    await press('Añadir sus documentos');
    await isRead(page, 'Sus documentos');
    await tabTo(page, '¿Qué documento es?');
    await page.keyboard.type('Nóm');
    await tabTo(page, 'Archivos');
    const buffer = Buffer.from(sampleDocument(['Nómina enero', 'Líquido 2.214,35']));
    // The document page's tests cover opening the list of files by keyboard.
    await page.locator(':focus').setInputFiles({ name: 'nomina.pdf', mimeType: 'application/pdf', buffer });
    await press('Añadir');
    await page.getByText('1 documento entregado').waitFor();
    await page.getByText('Añadido').waitFor();
    expect(described(await barriersOn(page))).to.deep.equal([]);
    await press('Listo');
    await isRead(page, 'Su solicitud');
    await press('Sus datos y sus derechos');
    await isRead(page, 'Sus datos');
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });
});
