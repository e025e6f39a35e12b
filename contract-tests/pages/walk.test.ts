import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Language } from '../../core/texts/languages.ts';
import { type Texts, textsOf } from '../../core/texts/texts.ts';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import { invitationPath, onboardingPath } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { CONTACT } from './gallery-links.ts';

databases('either');

/** Where pictures of the pages are kept for people to look at, one by one. */
const PICTURES = process.env['WALK_PICTURES'];

const roles = ['lead', 'tenant', 'guarantor'] as const;
type Role = (typeof roles)[number];

const devices = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 900 } },
} satisfies Record<string, BrowserContextOptions>;

interface Walk {
  role: Role;
  language: Language;
  device: keyof typeof devices;
}

/** Two languages from the left, and one from the right. */
const walks: Walk[] = isNightly
  ? roles.flatMap((role) =>
      (['en', 'de', 'ar'] as const).flatMap((language) =>
        (['phone', 'desktop'] as const).map((device) => ({ role, language, device })),
      ),
    )
  : [{ role: 'guarantor', language: 'ar', device: 'phone' }];

const MAX_PRESSES = 60;

describe('the way from the invitation to the end, by keyboard alone, as screen readers see it, without JavaScript', () => {
  let chromium: TestBrowser;
  const test = useService({ RUN_WORKERS: 'false' });
  before(async () => {
    chromium = await launchBrowser();
    await inTransaction(test.service.runtime.db, (trx) => setLandlordSettings(trx, test.landlords.ours, CONTACT));
  });
  after(() => chromium?.stop());
  const linkOf = async ({ role, language, device }: Walk) => {
    const [lead, other] = [
      `lead-${role}-${language}-${device}@mail.example`,
      `${role}-${language}-${device}@mail.example`,
    ];
    const tenants = [lead, other].map((email) => ({ email, is_lead: email === lead }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const params = { applicationId: application_id, email: other };
    if (role === 'guarantor') await test.alice.ok('updateParticipant', { params, body: { is_guarantor: true } });
    const path =
      role === 'lead' ? onboardingPath(test, application_id, lead) : invitationPath(test, application_id, other);
    return { email: role === 'lead' ? lead : other, path: await path };
  };
  /** The landlord's software starts both checks. */
  const startChecks = async (email: string) => {
    const tenant = await test.service.runtime.db('tenants').where({ email }).first('id');
    const params = { tenantId: tenant?.id ?? '' };
    await test.alice.ok('initiateKyc', { params });
    await test.alice.ok('initiateEid', { params, body: { redirect_url: `${test.service.url}/` } });
    return params.tenantId;
  };

  const finishKyc = async (tenantId: string) => {
    const { runtime } = test.service;
    const row = await runtime.db('kyc_verifications').where({ tenant_id: tenantId }).first('id');
    test.setNow(new Date(Date.now() + 60_000));
    await workOn(runtime, 'complete-kyc', row?.id ?? '');
    test.setNow(new Date());
  };

  for (const walk of walks)
    it(`${walk.role}, ${walk.language}, ${walk.device}`, async function () {
      this.timeout(300_000);
      const { role, language, device } = walk;
      const t = textsOf(language);
      const { url } = test.service;
      const options = { ...devices[device], javaScriptEnabled: false };
      const { email, path } = await linkOf(walk);
      const { page, problems } = await visit(chromium.browser, `${url}${path}?lang=${language}`, [url], options);
      let number = 0;
      const read = async (heading: string) => {
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        expectReadable(await page.locator('body').ariaSnapshot(), t, heading);
        number += 1;
        if (PICTURES) await picture(page, `${role}-${language}-${device}-${String(number).padStart(2, '0')}`);
      };
      const press = async (name: string) => {
        await tabTo(page, name);
        await page.keyboard.press('Enter');
      };
      if (role === 'lead') {
        await read(t.text('onboarding.asking'));
        await tabTo(page, t.text('profile.name'));
        await page.keyboard.type('Lea Lead');
        await press(t.text('answer.accept'));
      } else {
        await read(t.text(role === 'guarantor' ? 'guarantor.heading' : 'invitation.heading'));
        await press(t.text('answer.accept'));
        await read(t.text('profile.heading'));
        await tabTo(page, t.text('profile.name'));
        await page.keyboard.type('Jonas Weber');
        await press(t.text('profile.confirm'));
      }
      const home = t.text(role === 'guarantor' ? 'home.title-guarantor' : 'home.title');
      await read(home);
      if (isNightly) {
        const tenantId = await startChecks(email);
        await page.reload();
        await read(home);
        await checkIdentity(page, t, { read, press, finish: () => finishKyc(tenantId) });
        await page.goto(`${url}${path}?lang=${language}`);
        await read(home);
        await press(t.text('page.continue'));
        await read(t.text('agreement.title'));
        await press(t.text('agreement.button'));
        await read(t.text('eid.confirm'));
        await page.goto(`${url}${path}?lang=${language}`);
        await read(home);
      }
      await press(t.text('documents.next'));
      await read(t.text('documents.title'));
      // Nothing is chosen: the page says so, in its language.
      await press(t.text('documents.add'));
      await page.getByText(t.text('documents.no-type')).waitFor();
      await read(t.text('documents.title'));
      await tabTo(page, t.text('documents.type-label'));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await tabTo(page, t.text('documents.files'));
      const buffer = Buffer.from(
        sampleDocument(['Account statement', 'Opening balance 10.00', 'Closing balance 20.00', 'Page 1 of 2']),
      );
      expect(await wordsOn(page)).to.deep.equal([t.text('documents.choose-files')]);
      await page.locator(':focus').setInputFiles({ name: 'statement.pdf', mimeType: 'application/pdf', buffer });
      expect(await wordsOn(page)).to.deep.equal([t.text('documents.chosen')]);
      if (PICTURES) await picture(page, `${role}-${language}-${device}-chosen`);
      await press(t.text('documents.add'));
      await page.getByText(t.text('documents.handed', { count: 1 })).waitFor();
      await read(t.text('documents.title'));
      await page.getByText(t.text('documents.answer.keep')).waitFor();
      const onFile = async (message: 'documents.remove' | 'documents.remove-now' | 'documents.restore') =>
        press(t.rich(message, { name: 'statement.pdf' }).markup.replace(/<[^>]*>/g, ''));
      await onFile('documents.remove');
      await onFile('documents.remove-now');
      await page.getByText(t.text('documents.removed-note', { most: 20 })).waitFor();
      await read(t.text('documents.title'));
      await onFile('documents.restore');
      await page.getByText(t.text('documents.handed', { count: 1 })).waitFor();
      await press(t.text('documents.done'));
      await read(home);
      for (const [link, heading] of [
        ['part.title', 'part.title'],
        ['data.link', 'data.title'],
        ['access.title', 'access.title'],
      ] as const) {
        await press(t.text(link));
        await read(t.text(heading));
        await press(t.text('page.back'));
        await read(home);
      }
      // The form without an answer.
      expect(problems).to.deep.equal([
        'Failed to load resource: the server responded with a status of 400 (Bad Request)',
      ]);
      await page.context().close();
    });
});

interface Walking {
  read(heading: string): Promise<void>;
  press(name: string): Promise<void>;
  /** Lets the check end. */
  finish(): Promise<void>;
}

/** The identity check to its end. */
async function checkIdentity(page: Page, t: Texts, { read, press, finish }: Walking): Promise<void> {
  await tabTo(page, t.text('page.continue'));
  await page.keyboard.press('Enter');
  await read(t.text('agreement.title'));
  await press(t.text('agreement.button'));
  await read(t.text('kyc.name'));
  await press(t.text('page.continue'));
  await read(t.text('kyc.document'));
  await tabTo(page, `${t.text('kyc.document.passport')} ${t.text('kyc.side.passport')}`);
  await page.keyboard.press('Space');
  await press(t.text('page.continue'));
  await read(t.text('kyc.capture.passport'));
  await press(t.text('kyc.capture-button'));
  await read(t.text('kyc.selfie'));
  await press(t.text('kyc.selfie-button'));
  await read(t.text('kyc.review'));
  await press(t.text('kyc.submit'));
  await read(t.text('kyc.checking'));
  await finish();
  await read(t.text('kyc.verified'));
}

/** The words that are seen on the file chooser that has the focus. */
function wordsOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    "[...document.activeElement.parentElement.querySelectorAll('.words')].filter((one) => one.checkVisibility()).map((one) => one.innerText)",
  );
}

/** What a screen reader hears: landmarks, one first heading, no level left out, and a name for each control. */
function expectReadable(tree: string, t: Texts, heading: string): void {
  for (const landmark of ['banner', 'main', 'contentinfo'])
    expect(tree, heading).to.match(new RegExp(`^- ${landmark}`, 'm'));
  const levels = [...tree.matchAll(/- heading .*\[level=(\d)\]/g)].map(([, level]) => Number(level));
  expect(
    levels.filter((level) => level === 1),
    heading,
  ).to.have.length(1);
  const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? level) + 1);
  expect(jumps, `${heading}: ${levels}`).to.deep.equal([]);
  const nameless = tree
    .split('\n')
    .filter((line) => /^\s*- (?:button|link|textbox|combobox|radio|checkbox)(?::|$| \[)/.test(line));
  expect(nameless, heading).to.deep.equal([]);
  expect(tree, heading).to.include(t.text('page.language'));
}

/** Presses Tab until the element with this name has the focus, which must be visible. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    await page.keyboard.press('Tab');
    const reached = await page.evaluate<string>(
      '(document.activeElement.labels?.[0] ?? document.activeElement).innerText.trim().replace(/\\s+/g, " ")',
    );
    seen.push(reached);
    if (reached !== name) continue;
    // What surrounds the control shows its focus.
    const marked = "(document.activeElement.closest('.choice') ?? document.activeElement)";
    expect(await page.evaluate(`getComputedStyle(${marked}).outlineStyle`), name).to.equal('solid');
    return;
  }
  throw new Error(`Tab does not reach ${name}, but ${seen.join(' | ')}.`);
}

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  await mkdir(PICTURES, { recursive: true });
  await writeFile(join(PICTURES, `${name}.png`), await page.screenshot({ fullPage: true }));
}
