import { join } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { Admin, columnsOf, misunderstood, usageFault } from '../../harness/service/admin.ts';
import { Client } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

describe('the command line', () => {
  const test = useService();
  const admin = new Admin(test);

  const apply = async (...emails: string[]) => {
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    return (await test.alice.ok('createApplication', { body: { title: 'Flat', tenants } })).data.application_id;
  };
  const participant = async (applicationId: string, email: string) =>
    (await test.alice.ok('getApplication', { params: { applicationId } })).data.participants.find(
      (person) => person.email.toLowerCase() === email.toLowerCase(),
    );
  const completeKyc = async (tenantId: string) => {
    const { db } = test.service.runtime;
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    await eventually('KYC is completed', () =>
      db('kyc_verifications').where({ tenant_id: tenantId, status: 'verified' }).first('id'),
    );
  };
  describe('landlord and key commands', () => {
    interface Key {
      client_id: string;
      client_secret: string;
      landlord_id: string;
      name: string;
      created_at: string;
    }

    it('create credentials that work for the landlord, and show the secret only once', async () => {
      const landlord = await admin.json<{ landlord_id: string }>('landlord', 'create', '--name', 'Casa Inés');
      expect(landlord).to.have.all.keys('landlord_id', 'name', 'created_at').and.include({ name: 'Casa Inés' });
      const key = await admin.json<Key>('key', 'create', '--landlord', landlord.landlord_id, '--name', 'Website');
      expect(key).to.have.all.keys('client_id', 'client_secret', 'landlord_id', 'name', 'created_at', 'expires_at');
      const client = new Client(test.service.url, key.client_id, key.client_secret);
      await client.authenticate();
      expect((await client.ok('listWorkspaces')).data.workspaces).to.deep.equal([]);

      const row = await test.service.runtime.db('api_keys').where({ client_id: key.client_id }).first();
      for (const printed of [await admin.text('key', 'list'), await admin.text('key', 'list', '--json')]) {
        expect(printed).to.include(key.client_id);
        expect(printed).to.not.include(key.client_secret).and.not.include(row?.client_secret_hash);
      }
      const [listed, ...others] = await admin.json<Key[]>('key', 'list', '--landlord', landlord.landlord_id);
      expect(others).to.deep.equal([]);
      expect(listed).to.include({ client_id: key.client_id, name: 'Website', landlord_name: 'Casa Inés' });
      const { landlord_id } = landlord;
      expect(await admin.json<Key[]>('landlord', 'list')).to.deep.include({ ...landlord, landlord_id });
    });

    it('print what was created, its name, and what to do next', async () => {
      const made = await admin.text('landlord', 'create', '--name', 'Casa Olmo');
      const id = /^landlord id +(\S+)$/m.exec(made)?.[1] ?? '';
      expect(made)
        .to.match(/^The landlord was created\.\n\n/)
        .and.include(`key create --landlord ${id}`);
      const key = await admin.text('key', 'create', '--landlord', id, '--name', 'Intranet');
      const secret = /^client secret +(\S+)$/m.exec(key)?.[1] ?? '';
      const client = new Client(test.service.url, /^client id +(\S+)$/m.exec(key)?.[1] ?? '', secret);
      await client.authenticate();
      expect(key).to.match(/cannot be shown again/);
      const listed = await admin.text('landlord', 'list');
      expect(columnsOf(listed)).to.include.members(['landlord id', 'name']);
      expect(listed).to.match(new RegExp(`^${id} +Casa Olmo `, 'm'));
    });

    it('revoke a key: its token and secret stop working immediately at a running service, and no other key’s do', async () => {
      const args = ['key', 'create', '--landlord', test.landlords.ours, '--name', 'Lost'];
      const key = await admin.json<Key>(...args);
      const client = new Client(test.service.url, key.client_id, key.client_secret);
      await client.authenticate();
      await client.ok('listWorkspaces');
      const revoked = await admin.json<{ revoked_at: string }>('key', 'revoke', key.client_id, '--yes');
      await client.refused('listWorkspaces', 401);
      await client.refused('generateToken', 401);
      await test.alice.ok('listWorkspaces');
      expect(await admin.text('key', 'revoke', key.client_id)).to.match(/nothing changed/);
      const listed = await admin.json<Key[]>('key', 'list');
      expect(listed.find(({ client_id }) => client_id === key.client_id)).to.deep.include({
        name: 'Lost',
        landlord_id: test.landlords.ours,
        landlord_name: 'Casa Clara',
        created_at: key.created_at,
        revoked_at: revoked.revoked_at,
      });
    });

    it('refuse an unknown landlord or key and say where to look', async () => {
      expect(await admin.refused(1, ['key', 'create', '--landlord', 'absent', '--name', 'X'])).to.match(
        /landlord list/,
      );
      expect(await admin.refused(1, ['key', 'list', '--landlord', 'absent'])).to.match(/landlord list/);
      expect(await admin.refused(1, ['key', 'revoke', 'absent'])).to.match(/key list/);
    });
  });

  describe('tenant commands', () => {
    it('add creates one account per e-mail address, whose id the participant then has', async () => {
      const applicationId = await apply('cli-lead@mail.example', 'cli-add@mail.example');
      const added = await admin.json<{ tenant_id: string }>(
        'tenant',
        'add',
        '--email',
        'CLI-add@mail.example',
        '--name',
        'Ana',
      );
      expect(added).to.include({
        email: 'CLI-add@mail.example',
        name: 'Ana',
        onboarding_status: 'PENDING',
        created: true,
      });
      expect(await participant(applicationId, 'cli-add@mail.example')).to.include({ id: added.tenant_id });
      const args = ['tenant', 'add', '--email', 'cli-ADD@mail.example', '--name', 'Other'];
      expect(await admin.json(...args)).to.deep.equal({ ...added, created: false });
      expect(await admin.text(...args))
        .to.match(/already has an account; nothing changed/)
        .and.include(added.tenant_id);
      const rows = await admin.json<{ email: string }[]>('tenant', 'list');
      expect(rows.filter(({ email }) => email.toLowerCase() === 'cli-add@mail.example')).to.have.length(1);
      expect(columnsOf(await admin.text('tenant', 'list'))).to.include.members(['tenant id', 'email', 'name']);
    });

    it('add accepts exactly the addresses that the API accepts', async () => {
      const long = (length: number) => `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}example`.padEnd(length, 'e');
      const addresses = [
        'o’neil@mail.example',
        "o'neil+flat@mail.example",
        'a@localhost',
        'a..b@mail.example',
        'a@b@c',
      ];
      addresses.push(
        ' a@mail.example',
        'a@mail.example\n',
        'a@-mail.example',
        'añ@mail.example',
        '',
        'a@mail_1.example',
      );
      addresses.push(long(254), long(255));
      for (const email of addresses) {
        const path = `/applications/create-application`;
        const headers = { authorization: `Bearer ${test.alice.token}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ title: 'Same rule', tenants: [{ email, is_lead: true }] });
        const { status } = await test.alice.raw('POST', path, { headers, body });
        const fault = await usageFault('tenant', 'add', '--email', email, '--name', 'Same Rule');
        expect({ email, isTaken: fault === undefined }).to.deep.equal({ email, isTaken: status === 200 });
      }
    });

    it('profile sets the onboarding status that the API shows, for a tenant named by id or e-mail', async () => {
      const applicationId = await apply('profile-lead@mail.example', 'profile@mail.example');
      const { id } = await test.tenant('profile@mail.example');
      const shown = async () => (await participant(applicationId, 'profile@mail.example'))?.onboarding_status;
      for (const [who, state] of [
        [id, 'COMPLETED'],
        ['PROFILE@mail.example', 'OUTDATED'],
        [id.toUpperCase(), 'PENDING'],
        ['profile@mail.example', 'OUTDATED'],
        [id, 'COMPLETED'],
      ] as const) {
        expect(await admin.json('tenant', 'profile', who, '--state', state)).to.include({ onboarding_status: state });
        expect(await shown()).to.equal(state);
      }
      const later = ['--state', 'COMPLETED', '--outdated-from', '2999-01-31'];
      expect(await admin.text('tenant', 'profile', id, ...later)).to.match(
        /^profile outdated at +2999-01-31 00:00:00Z$/m,
      );
      expect(await shown()).to.equal('COMPLETED');
    });

    it('profile refuses unknown people, states and times, and changes nothing', async () => {
      const { id } = await test.tenant('unchanged@mail.example');
      expect(await admin.refused(1, ['tenant', 'profile', 'absent', '--state', 'COMPLETED'])).to.match(/tenant list/);
      await misunderstood('tenant', 'profile', id, '--state', 'DONE');
      await misunderstood('tenant', 'profile', id);
      await admin.refused(2, ['tenant', 'profile', id, '--state', 'OUTDATED', '--outdated-from', '2999-01-31']);
      await admin.refused(2, ['tenant', 'profile', id, '--state', 'COMPLETED', '--outdated-from', '2020-01-31']);
      for (const moment of ['2999-02-30', '31.01.2999', '2999-01-31T12:00', ''])
        await misunderstood('tenant', 'profile', id, '--state', 'COMPLETED', '--outdated-from', moment);
      const row = await test.service.runtime.db('tenants').where({ id }).first();
      expect(row).to.include({ profile_completed_at: null, profile_outdated_at: null });
    });
  });

  describe('document commands', () => {
    interface Document {
      document_id: string;
      forensic_run_id: string | null;
    }

    it('add starts the analysis automatically once KYC is completed, and the running service reads the document', async () => {
      const receiver = await Receiver.start();
      try {
        await test.alice.ok('createWebhook', { body: { url: receiver.url } });
        const { id } = await test.tenant('cli-document+kyc-verified@mail.example');
        await apply('cli-document+kyc-verified@mail.example');
        await completeKyc(id);
        const path = await admin.file('%PDF-1.4 a payslip', 'payslip.pdf');
        const added = await admin.json<Document>('document', 'add', 'cli-document+kyc-verified@mail.example', path);
        expect(added).to.include({ tenant_id: id, name: 'payslip.pdf', media_type: 'application/pdf', size_bytes: 18 });
        expect(added.forensic_run_id).to.be.a('string');
        const [event] = await receiver.next('FORENSIC_ANALYSIS_DATA');
        expect(event?.data).to.include({ tenant_id: id });
        const [document] = JSON.parse(event?.body ?? '').data.documents;
        expect(document).to.deep.include({ document_id: added.document_id, name: 'payslip.pdf' });
        expect(document.facts).to.deep.include({ kind: 'pdf', size_bytes: 18 });
      } finally {
        await receiver.stop();
      }
    });

    it('add waits for KYC until it is completed, and list shows the documents', async () => {
      const { id, email } = await test.tenant('cli-waiting+kyc-verified@mail.example', { of: test.alice });
      const path = await admin.file('scan', 'scan.JPG');
      expect(await admin.json<Document>('document', 'add', id, path)).to.include({
        forensic_run_id: null,
        media_type: 'text/plain',
      });
      const human = await admin.text('document', 'add', email, path, '--name', 'Contract (signed)');
      expect(human).to.match(/once the identity verification \(KYC\) is completed/);
      const documents = await admin.json<Record<string, unknown>[]>('document', 'list', email);
      expect(documents.map(({ name, media_type }) => `${name} ${media_type}`)).to.deep.equal([
        'scan.JPG text/plain',
        'Contract (signed) text/plain',
      ]);
      expect(await test.service.runtime.db('forensic_runs').where({ tenant_id: id })).to.deep.equal([]);
    });

    it('add refuses a file that is missing, empty or a folder, an unknown tenant and an empty name', async () => {
      const { id } = await test.tenant('cli-refused@mail.example', { of: test.alice });
      const good = await admin.file('x', 'good.pdf');
      expect(await admin.refused(1, ['document', 'add', id, join(test.folder, 'absent.pdf')])).to.match(/no such file/);
      await admin.refused(1, ['document', 'add', id, test.folder]);
      expect(await admin.refused(1, ['document', 'add', id, await admin.file('', 'empty.pdf')])).to.match(/is empty/);
      expect(await admin.refused(1, ['document', 'add', 'absent', good])).to.match(/tenant list/);
      expect(await admin.refused(1, ['document', 'list', 'absent'])).to.match(/tenant list/);
      await misunderstood('document', 'add', id, good, '--name', ' ');
      await misunderstood('document', 'add', id);
      expect(await admin.json<unknown[]>('document', 'list', id)).to.deep.equal([]);
    });
  });

  describe('payment record', () => {
    const pay = (applicationId: string, email: string, ...rest: string[]) => [
      ...['payment', 'record', '--application', applicationId, '--email', email, '--amount', '350.50'],
      ...rest,
    ];

    it('makes the participant’s removal warn, and says whether the payment’s protection is affected', async () => {
      for (const [index, isProtected] of [true, false].entries()) {
        const email = `cli-pays-${index}@mail.example`;
        const applicationId = await apply('cli-pay-lead@mail.example', email);
        const recorded = await admin.json(
          ...pay(applicationId, email.toUpperCase(), ...(isProtected ? ['--protected'] : [])),
        );
        expect(recorded).to.include({ application_id: applicationId, amount: 350.5, is_protected: isProtected });
        const { data } = await test.alice.ok('removeParticipant', { params: { applicationId, email } });
        expect(data.warnings).to.deep.equal({ service_protect_affected: isProtected });
        expect(await admin.refused(1, pay(applicationId, email))).to.match(/Participant not found/);
      }
    });

    it('prints a readable confirmation, and refuses unknown applications, unknown people and invalid amounts', async () => {
      const applicationId = await apply('cli-pay-other@mail.example', 'cli-pay-known@mail.example');
      const human = await admin.text(...pay(applicationId, 'cli-pay-known@mail.example', '--protected'));
      expect(human)
        .to.match(/^amount +350\.5$/m)
        .and.match(/^is protected +yes$/m);
      expect(await admin.refused(1, pay('absent', 'cli-pay-known@mail.example'))).to.match(/Application not found/);
      expect(await admin.refused(1, pay(applicationId, 'stranger@mail.example'))).to.match(/Participant not found/);
      await misunderstood(...pay(applicationId, 'nobody'));
      for (const amount of ['0', '-1', '1,50', '1e3', '9'.repeat(400)])
        await misunderstood(...pay(applicationId, 'cli-pay-known@mail.example', '--amount', amount));
    });
  });
});
