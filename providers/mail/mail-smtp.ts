import { createTransport } from 'nodemailer';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { MailSenderSettings, SmtpSettings } from '../../core/settings/mail-settings.ts';
import { composeMail } from './compose-mail.ts';
import type { MailSender } from './port.ts';
import { mailError } from './smtp-errors.ts';

interface Patience {
  connectMs: number;
  /** Idle time on the socket. A server may inspect a message for long before it accepts it. */
  silenceMs: number;
  /** The deadline of a whole mail. */
  sendMs: number;
}

const PATIENCE: Patience = { connectMs: 15_000, silenceMs: 60_000, sendMs: 180_000 };
/** Shorter than servers' idle timeouts, so that they do not close a connection under a mail. */
const IDLE_MS = 30_000;

/** Sends over a pool of SMTP connections. The server's certificate is always verified. */
export function createMailSmtp(
  server: SmtpSettings,
  sender: MailSenderSettings,
  { connectMs, silenceMs, sendMs }: Patience = PATIENCE,
): MailSender {
  const transport = createTransport({
    pool: true,
    host: server.host,
    port: server.port,
    ...(server.name === undefined ? {} : { name: server.name }),
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'none',
    tls: { minVersion: 'TLSv1.2' },
    ...(server.login ? { auth: { user: server.login.user, pass: server.login.password }, forceAuth: true } : {}),
    maxConnections: server.connections,
    // Our queue retries; only the pool knows that a connection was lost before anything was sent.
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail({ ...composeMail(mail, sender), signal: AbortSignal.timeout(sendMs) });
      } catch (error) {
        throw mailError(error, mail.to);
      }
    },
    async check() {
      try {
        await transport.verify();
      } catch (error) {
        throw new ProviderUnavailable(mailError(error).reason);
      }
    },
    async close() {
      transport.close({ force: true });
    },
  };
}
