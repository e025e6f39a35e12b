import { readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { ProviderUnavailable } from '../../core/errors.ts';
import { type MailSenderSettings, readMail, type SmtpSettings } from '../../core/settings/mail-settings.ts';
import { textsOf } from '../../core/texts/texts.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { authority, selfSigned, trust } from '../../harness/peers/certificates.ts';
import { MailServer } from '../../harness/peers/mail-server.ts';
import { invitationMail } from '../../jobs/invitations/invitation-mail.ts';
import type { MailBrand } from '../../jobs/invitations/mail-brand.ts';
import { createMailFolder } from '../../providers/mail/mail-folder.ts';
import { createMailSmtp } from '../../providers/mail/mail-smtp.ts';
import { type Mail, MailDelayed, MailRefused, type MailSender } from '../../providers/mail/port.ts';

databases('none');

const SENDER: MailSenderSettings = { from: { name: 'Casa Clara', address: 'no@casa.example' }, replyTo: undefined };
const MAIL: Mail = {
  ...{ of: { kind: 'applicant' }, id: 'one', messageId: 'one', to: 'marta.ruiz@mail.example' },
  ...{ subject: 'Subject', text: 'Text', html: '<p>HTML</p>' },
};
const QUICK = { connectMs: 200, silenceMs: 200, sendMs: 300 };

/** Expects exactly this content in the mail. */
const HEADERS = [
  ...['from', 'to', 'subject', 'message-id', 'auto-submitted', 'date', 'mime-version', 'content-type'],
].sort();

describe('the mail server', () => {
  const opened: MailSender[] = [];
  after(async () => {
    for (const mail of opened) await mail.close();
  });
  const server = suiteFixture(() => MailServer.startTrusted());
  afterEach(() => {
    server.hangUp();
    server.received.splice(0);
  });

  const settings = (env: Record<string, string>): SmtpSettings => {
    const faults: string[] = [];
    const read = readMail(env, 'sandbox', faults);
    expect(faults).to.deep.equal([]);
    return read.provider === 'smtp' ? read.server : expect.fail('it is not smtp');
  };
  const open = (
    changes: Partial<SmtpSettings> = {},
    of: MailServer = server,
    ...patience: [typeof QUICK] | []
  ): MailSender => {
    const mail = createMailSmtp({ ...settings(of.env), ...changes }, SENDER, ...patience);
    opened.push(mail);
    return mail;
  };
  /** Expects a retryable failure, with nothing sent in plain text. */
  async function delayed(mail: MailSender): Promise<MailDelayed> {
    const error: unknown = await mail.send(MAIL).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(MailDelayed).and.not.instanceOf(MailRefused);
    expect(server.received).to.deep.equal([]);
    const unavailable: unknown = await mail.check().catch((thrown: unknown) => thrown);
    expect(unavailable).to.be.instanceOf(ProviderUnavailable);
    return error instanceof MailDelayed ? error : expect.fail();
  }

  it('accepts mails over STARTTLS or TLS, and is checked without sending one', async () => {
    const ca = await authority('Another');
    const distrustAnother = trust(ca);
    const implicit = await MailServer.start(await ca.issue({}), { isImplicit: true });
    try {
      for (const each of [server, implicit]) {
        const mail = open({}, each);
        await mail.check();
        expect(each.received).to.deep.equal([]);
        await Promise.all([1, 2, 3].map((id) => mail.send({ ...MAIL, id: `${id}` })));
        expect(each.received.map(({ isSecure, user }) => ({ isSecure, user }))).to.deep.equal(
          Array.from({ length: 3 }, () => ({ isSecure: true, user: 'screening' })),
        );
        await mail.close();
      }
    } finally {
      await implicit.stop();
      distrustAnother();
    }
  });

  it('gets nothing when its certificate is untrusted, for another name, or expired', async () => {
    const ca = await authority('Known');
    const distrustKnown = trust(ca);
    const wrong = [await selfSigned(), await ca.issue({ name: 'other.example' }), await ca.issue({ validUntil: -1 })];
    try {
      for (const certificate of wrong)
        for (const isImplicit of [false, true]) {
          const untrusted = await MailServer.start(certificate, { isImplicit });
          const { message } = await delayed(open({}, untrusted));
          expect(message).to.include('cannot be secured');
          expect(untrusted.received).to.deep.equal([]);
          await untrusted.stop();
        }
    } finally {
      distrustKnown();
    }
  });

  it('gets nothing when it offers no TLS or rejects the login', async () => {
    const said: string[] = [];
    const plain = await listenRaw((socket) => {
      socket.write('220 plain\r\n');
      socket.on('data', (data) => {
        said.push(String(data));
        socket.write(/^EHLO/.test(String(data)) ? '250-plain\r\n250 AUTH PLAIN\r\n' : '502 5.5.1 What?\r\n');
      });
    });
    await delayed(open({ host: '127.0.0.1', port: plain.port }));
    await plain.stop();
    expect(said.join('')).to.not.match(/AUTH|MAIL/);
    const { message, reason } = await delayed(open({ login: { user: 'screening', password: 'hush' } }));
    expect(message).to.equal('the mail server does not take the login (535)');
    expect(reason).to.not.include('hush');
  });

  it('is introduced to a fully qualified name: the setting, or the public address, or the domain of the sender', async () => {
    const names: [Record<string, string>, string][] = [
      [{ SMTP_NAME: 'mx.casa.example', PUBLIC_URL: 'https://screening.casa.example' }, 'mx.casa.example'],
      [{ PUBLIC_URL: 'https://screening.casa.example:8443/base' }, 'screening.casa.example'],
      [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, 'casa-clara.example'],
      [{ PUBLIC_URL: 'http://[::1]:3000' }, 'casa-clara.example'],
      [{ PUBLIC_URL: 'http://localhost:3000' }, 'casa-clara.example'],
      [{}, 'casa-clara.example'],
    ];
    for (const [env, name] of names) {
      server.introduced.clear();
      const mail = open(settings({ ...server.env, ...env }));
      await mail.send(MAIL);
      expect([...server.introduced], JSON.stringify(env)).to.deep.equal([name]);
      await mail.close();
    }
    for (const name of ['vm', '127.0.0.1', 'a b.example', '-a.example', 'a.example:25', `${'a'.repeat(64)}.example`]) {
      const faults: string[] = [];
      readMail({ ...server.env, SMTP_NAME: name }, 'sandbox', faults);
      expect(faults, name).to.have.length(1);
    }
  });

  const ABOUT_RECIPIENT: [Parameters<MailServer['says']['set']>[0], string][] = [
    ['recipient', '550 5.1.1 No such user'],
    ['recipient', '550 5.1.6 Mailbox has moved'],
    ['recipient', '553 5.1.3 Bad destination mailbox address syntax'],
    ['recipient', '550 5.1.10 Recipient has null MX'],
    ['recipient', '552 5.2.2 Mailbox full'],
    ['recipient', '550 5.2.1 Mailbox disabled'],
    ['recipient', '550 No such user here'],
    ['recipient', '550 5.0.0 User unknown'],
    ['recipient', '551 User not local; please try another server'],
    ['message', '550 5.1.1 No such user'],
    ['message', '552 5.2.2 Over quota'],
  ];
  const ABOUT_US: typeof ABOUT_RECIPIENT = [
    ['recipient', '504 5.5.2 <vm>: Helo command rejected: need fully-qualified hostname'],
    ['recipient', '554 5.7.1 <a@b>: Relay access denied'],
    ['recipient', '554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied'],
    ['recipient', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using a block list'],
    ['recipient', '550 5.7.1 Unauthenticated email is not accepted from this domain'],
    ['recipient', '550 5.7.26 This message does not pass authentication checks (SPF and DKIM)'],
    ['recipient', '550 5.1.8 Sender address rejected: Domain not found'],
    ['recipient', '550 5.4.1 Recipient address rejected: Access denied'],
    ['recipient', '530 5.7.0 Must issue a STARTTLS command first'],
    ['recipient', '503 Bad sequence of commands'],
    ['recipient', '554 Transaction failed'],
    ['message', '554 5.7.1 Message content rejected'],
    ['message', '550 High probability of spam'],
    ['message', '552 5.3.4 Message size exceeds fixed limit'],
    ['sender', '550 5.1.1 No such sender'],
    ['sender', '550 5.7.1 Sender not allowed'],
    ['greeting', '554 5.7.1 No service for you'],
  ];
  for (const [about, answers] of [
    ['the recipient', ABOUT_RECIPIENT],
    ['the service', ABOUT_US],
  ] as const)
    for (const [place, says] of answers)
      it(`that says "${says}" to the ${place} speaks about ${about}`, async () => {
        const mail = open();
        server.says.set(place, says);
        const error: unknown = await mail.send(MAIL).catch((thrown: unknown) => thrown);
        server.says.clear();
        expect(error).to.be.instanceOf(MailDelayed);
        expect(error instanceof MailRefused, String(error)).to.equal(about === 'the recipient');
        await mail.close();
      });

  it('times out when it hangs, is down, or sends garbage, and the mail can be retried', async () => {
    const talks: ((socket: Socket) => void)[] = [
      () => {},
      (socket) => socket.destroy(),
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      // Never idle and never finished.
      (socket) => {
        const drip = setInterval(() => socket.write('220-wait\r\n'), 20);
        socket.once('close', () => clearInterval(drip));
      },
    ];
    for (const talk of talks) {
      const odd = await listenRaw(talk);
      await delayed(open({ host: '127.0.0.1', port: odd.port }, server, QUICK));
      await odd.stop();
    }
    const gone = await listenRaw(() => {});
    await gone.stop();
    expect((await delayed(open({ host: '127.0.0.1', port: gone.port }))).message).to.include('cannot be reached');
  });

  it('gets one recipient, whatever the address contains', async () => {
    const mail = open();
    for (const to of [
      ...[
        '"a@b.example, c"@d.example',
        'a,b@c.example',
        'a;b@c.example',
        'group:a@b.example;',
        'a@b.example,c@d.example',
      ],
      ...['a@b.example>\r\nRCPT TO:<c@d.example', 'ñandú@mail.example', 'a@ñandú.example', 'a@xn--and-6ma2c.example'],
      ...['Name <a@b.example>', '"Name" a@b.example', 'a@b.example (c@d.example)', "o'brien+flat@mail.example"],
    ]) {
      server.received.splice(0);
      const error: unknown = await mail.send({ ...MAIL, to }).catch((thrown: unknown) => thrown);
      if (error instanceof MailDelayed) continue;
      expect(error, to).to.equal(undefined);
      const [received, ...others] = server.received;
      expect(others, to).to.deep.equal([]);
      expect(received?.to, to).to.have.length(1);
      expect(received?.mail.to, to).to.have.length(1);
      expect(received?.mail.headers.map(({ key }) => key).sort(), to).to.deep.equal(HEADERS);
    }
    expect(server.received.length, 'the last is an ordinary address').to.equal(1);
  });
});

describe('an invitation’s mail', () => {
  const hostile = fc
    .array(
      fc.oneof(
        { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
        fc.constantFrom(
          ...['\r\n', '\n', '\r', '\0', '\u2028', '\u0085', '\t', '\r\n\r\n', '\r\n.\r\n', '\v', '\f'],
          ...['Bcc: spy@mail.example', 'Content-Type: text/plain', 'To: spy@mail.example', '=?utf-8?q?=0D=0ABcc:_a?='],
          ...[
            '\u202e',
            '\u2066',
            '\u200b',
            '\ufeff',
            '\u00ad',
            '<script>alert(1)</script>',
            '"><img src=x>',
            '&amp;',
            "'",
          ],
          ...[
            'https://evil.example/x',
            'www.evil.example',
            'a@evil.example',
            'http://localhost/x',
            'evil。example',
            '//',
          ],
          ...['👩‍👩‍👧‍👦', 'e\u0301'.repeat(30), '--', '--boundary', 'a'.repeat(300)],
        ),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('').toWellFormed());
  const logo = { content: Buffer.from('a logo'), width: 480, height: 96 };
  const brands = fc.constantFrom<MailBrand>(
    { colour: null, logo: null },
    { colour: '#ffff00', logo: null },
    { colour: '#000000', logo },
  );
  const folder = suiteFixture(temporaryFolder);

  it('of a reminder, and no other, is stopped by one click of the mail program (RFC 8058)', async () => {
    const mail = createMailFolder(folder.path, SENDER);
    const link = `https://screening.example/invitation/${'a'.repeat(43)}`;
    const brand = { colour: null, logo: null };
    const facts = { title: 'Loft', inviter: null, landlord: 'Casa Clara', link, brand, validUntil: new Date(0) };
    for (const about of [undefined, 'link', 'confirmation', 'result', 'reminder'] as const) {
      const composed = invitationMail(textsOf('en'), { ...facts, about, missing: ['documents'] });
      await mail.send({ ...MAIL, ...composed, id: 'stop', messageId: 'stop' });
      const { headers } = await PostalMime.parse(await readFile(join(folder.path, 'stop.eml')));
      const stopping = headers.filter(({ key }) => key.startsWith('list-unsubscribe')).map(({ value }) => value);
      const expected = about === 'reminder' ? [`<${link}/reminders>`, 'List-Unsubscribe=One-Click'] : [];
      expect(stopping.sort(), about).to.deep.equal(expected.sort());
    }
  });

  it('has a one-line subject, one recipient and the expected headers, whatever titles and names contain', async () => {
    const mail = createMailFolder(folder.path, SENDER);
    const link = `https://screening.example/invitation/${'a'.repeat(43)}`;
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, brands, async (title, inviter, landlord, brand) => {
        const composed = invitationMail(textsOf('en'), {
          title,
          inviter,
          landlord,
          link,
          brand,
          validUntil: new Date(0),
        });
        await mail.send({ ...MAIL, ...composed, id: 'any', messageId: 'any' });
        const parsed = await PostalMime.parse(await readFile(join(folder.path, 'any.eml')));
        expect(parsed.headers.map(({ key }) => key).sort()).to.deep.equal(HEADERS);
        expect(parsed.to).to.deep.equal([{ name: '', address: MAIL.to }]);
        expect(parsed.attachments.map(({ contentId, disposition }) => [contentId, disposition])).to.deep.equal(
          brand.logo ? [['<logo@brand>', 'inline']] : [],
        );
        expect(parsed.html?.match(/<img src="cid:logo@brand" /g) ?? []).to.have.length(brand.logo ? 1 : 0);
        expect(parsed.subject).to.equal(composed.subject.replaceAll('=?', '= ?'));
        expect(composed.subject)
          .to.match(/^You are invited to apply for a home let by/)
          .and.not.match(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(composed.subject.replaceAll('\u200d', '').replaceAll('\u200c', '')).to.not.match(/\p{Cf}/u);
        expect([...new Intl.Segmenter().segment(composed.subject)].length).to.be.at.most(110);
        expect(
          parsed.html?.match(/<(?!\/?(?:html|head|meta|title|style|body|div|table|tr|td|h1|p|a|br|img)\b|!doctype)/gi),
        ).to.equal(null);
        expect(parsed.html?.split(`href="${link}"`)).to.have.length(3);
        expect(parsed.html?.match(/href=/g)).to.have.length(2);
        expect(parsed.text?.split('\n').filter((line) => line === link)).to.have.length(1);
        // Mail clients turn text that looks like an address into a link.
        for (const part of [composed.subject, composed.text.replace(link, '')])
          expect(part).to.not.match(/[.:@。．｡：＠][\p{L}\p{N}/]|\/\//u);
      }),
      { seed: 20_261_122, numRuns: 300 },
    );
  });
});

/** A server with scripted replies. */
async function listenRaw(talk: (socket: Socket) => void): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    talk(socket);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    }),
  );
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port, stop };
}
