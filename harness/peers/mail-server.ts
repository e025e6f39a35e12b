import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { signal } from '../process/signals.ts';
import { authority, type Certificate, trust } from './certificates.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  user: string | undefined;
  isSecure: boolean;
  mail: Email;
}

/** The stages of a session at which a server may refuse. */
type Place = 'greeting' | 'login' | 'sender' | 'recipient' | 'message';

export const LOGIN = { user: 'screening', password: 'p@ss:w/rd %é' };

/** A real mail server with STARTTLS and a login, whose answers tests control. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** The names by which clients introduced themselves (EHLO). */
  readonly introduced = new Set<string>();
  /** Refusals by stage, such as `550 5.1.1 No such user`; the session continues unless the refusal ends it. */
  readonly says = new Map<Place, string>();
  /** Called when a whole message has arrived, before it is answered. */
  onMessage: (() => Promise<void> | void) | undefined;
  private readonly certificate: Certificate;
  private readonly isImplicit: boolean;
  private server: SMTPServer;
  private port = 0;
  private ca: Certificate | undefined;
  private distrust: (() => void) | undefined;

  private constructor(certificate: Certificate, isImplicit: boolean) {
    this.certificate = certificate;
    this.isImplicit = isImplicit;
    this.server = this.create();
  }

  static async start(certificate: Certificate, { isImplicit = false } = {}): Promise<MailServer> {
    const started = new MailServer(certificate, isImplicit);
    await started.listen();
    return started;
  }

  /** With a certificate of an authority that this process trusts until the server stops. */
  static async startTrusted(): Promise<MailServer & { authority: string }> {
    const ca = await authority('The mail server’s');
    const started = await MailServer.start(await ca.issue({}));
    started.ca = ca;
    started.distrust = trust(ca);
    return Object.assign(started, { authority: ca.cert });
  }

  get env(): Record<string, string> {
    return {
      MAIL_PROVIDER: 'smtp',
      MAIL_FROM: 'Casa Clara <lettings@casa-clara.example>',
      SMTP_URL: `${this.isImplicit ? 'smtps' : 'smtp'}://localhost:${this.port}`,
      SMTP_USER: LOGIN.user,
      SMTP_PASSWORD: LOGIN.password,
    };
  }

  /** Drops every connection. */
  hangUp(): void {
    for (const connection of this.server.connections) connection.close();
  }

  async stop(): Promise<void> {
    this.hangUp();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.distrust?.();
  }

  /** Restarts on the same port. */
  async restart(): Promise<void> {
    this.server = this.create();
    if (this.ca) this.distrust = trust(this.ca);
    await this.listen();
  }

  private create(): SMTPServer {
    const answer = (place: Place, yes: () => void, no: (error: Error) => void) => {
      const said = this.says.get(place);
      if (said === undefined) return yes();
      const [code, ...words] = said.split(' ');
      no(Object.assign(new Error(words.join(' ')), { responseCode: Number(code) }));
    };
    const server = new SMTPServer({
      ...this.certificate,
      secure: this.isImplicit,
      authMethods: ['PLAIN'],
      disableReverseLookup: true,
      logger: false,
      onConnect: (_session, done) => answer('greeting', done, done),
      onAuth: ({ username, password }, _session, done) =>
        answer(
          'login',
          () => {
            if (username === LOGIN.user && password === LOGIN.password) done(null, { user: username });
            else done(Object.assign(new Error('Authentication failed'), { responseCode: 535 }));
          },
          done,
        ),
      onMailFrom: (_address, { hostNameAppearsAs }, done) => {
        this.introduced.add(hostNameAppearsAs);
        answer('sender', done, done);
      },
      onRcptTo: (_address, _session, done) => answer('recipient', done, done),
      onData: async (stream, { envelope, user, secure }, done) => {
        const mail = await PostalMime.parse(Buffer.concat(await Array.fromAsync(stream)));
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        this.received.push({ from, to, user, isSecure: secure, mail });
        signal();
        await this.onMessage?.();
        answer('message', done, done);
      },
    });
    server.on('error', () => {});
    return server;
  }

  private async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.server.address() as AddressInfo).port;
  }
}
