import { expect } from 'chai';
import { type MailSettings, readMail } from '../../core/settings/mail-settings.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const SMTP = {
  MAIL_PROVIDER: 'smtp',
  MAIL_FROM: 'Casa Clara <lettings@agency.example>',
  SMTP_URL: 'smtp://mail.agency.example',
};

describe('the mail settings', () => {
  const read = (env: Record<string, string>, mode: 'sandbox' | 'live' = 'sandbox'): [MailSettings, string] => {
    const faults: string[] = [];
    const settings = readMail(env, mode, faults);
    return [settings, faults.join('\n')];
  };
  const faults = (env: Record<string, string>, mode?: 'sandbox' | 'live') => read(env, mode)[1];
  const server = (env: Record<string, string>) => {
    const [settings, none] = read({ ...SMTP, ...env });
    expect(none).to.equal('');
    return settings.provider === 'smtp' ? settings.server : expect.fail('it is not smtp');
  };

  it('keep mails on this machine by default, and name settings without effect', () => {
    const [settings, none] = read({});
    expect(none).to.equal('');
    expect(settings).to.deep.include({ provider: 'sandbox', invitationDays: 30 });
    expect(faults({ MAIL_PROVIDER: 'post' })).to.include('MAIL_PROVIDER is "post"');
    expect(faults({ SMTP_URL: SMTP.SMTP_URL, SMTP_PASSWORD: 'hush' }))
      .to.include('SMTP_URL is set, but MAIL_PROVIDER is sandbox')
      .and.include('SMTP_PASSWORD is set')
      .and.not.include('hush');
  });

  it('require TLS for a server, by STARTTLS or implicit, at the usual ports', () => {
    const host = 'mail.agency.example';
    const defaults = { login: undefined, connections: 3, name: 'agency.example' };
    expect(server({})).to.deep.equal({ host, port: 587, tls: 'starttls', ...defaults });
    expect(server({ SMTP_URL: `smtps://${host}/` })).to.include({ host, port: 465, tls: 'implicit' });
    expect(server({ SMTP_URL: 'smtp://[::1]:2525', SMTP_TLS: 'none' })).to.include({ host: '::1', port: 2525 });
    expect(server({ SMTP_TLS: 'none' })).to.include({ tls: 'none' });
    expect(faults({ ...SMTP, SMTP_TLS: 'none' }, 'live')).to.include('live sends nothing without TLS');
    expect(faults({ ...SMTP, SMTP_TLS: 'none', SMTP_USER: 'a', SMTP_PASSWORD: 'b' })).to.include('no password is sent');
    expect(faults({ ...SMTP, SMTP_TLS: 'none', SMTP_URL: `smtps://${host}` })).to.include('begins with smtps');
    expect(faults({ ...SMTP, SMTP_TLS: 'maybe' })).to.include('SMTP_TLS is "maybe"');
    expect(faults(SMTP, 'live')).to.equal('');
  });

  it('accept a login inside or outside the address, verbatim', () => {
    const login = { user: 'me@agency.example', password: 'p@ss:w/rd %é' };
    const inUrl = `smtp://${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@mail.agency.example`;
    expect(server({ SMTP_URL: inUrl }).login).to.deep.equal(login);
    expect(server({ SMTP_USER: login.user, SMTP_PASSWORD: login.password }).login).to.deep.equal(login);
    expect(faults({ ...SMTP, SMTP_URL: inUrl, SMTP_USER: 'me' })).to.include('names a user too');
    expect(faults({ ...SMTP, SMTP_USER: 'me' })).to.include('SMTP_PASSWORD is missing');
    expect(faults({ ...SMTP, SMTP_PASSWORD: 'hush' }))
      .to.include('SMTP_USER is missing')
      .and.not.include('hush');
    expect(faults({ ...SMTP, SMTP_URL: 'smtp://me:hush%@mail.agency.example' }))
      .to.include('SMTP_URL holds')
      .and.not.include('hush');
  });

  it('accept only a server’s address, and never show it', () => {
    for (const url of [
      ...['mail.agency.example', 'http://hush', 'smtp://', 'smtp://hush/path', 'smtp://hush?tls=no', 'smtp://hush#a'],
      ...['smtp://hush%0d%0a', 'smtp://hu sh', 'smtp://hush:99999'],
    ])
      expect(faults({ ...SMTP, SMTP_URL: url }), url)
        .to.include('SMTP_URL must be')
        .and.not.include('hush');
    expect(faults({ ...SMTP, SMTP_URL: '' })).to.include('SMTP_URL is missing');
  });

  it('accept a sender in one line, with or without a name', () => {
    const sender = (MAIL_FROM: string) => read({ ...SMTP, MAIL_FROM })[0].sender.from;
    expect(sender('a@b.example')).to.deep.equal({ name: '', address: 'a@b.example' });
    expect(sender('Áurea, S.L. <a@b.example>')).to.deep.equal({ name: 'Áurea, S.L.', address: 'a@b.example' });
    expect(sender('"Casa Clara" <a@b.example>')).to.deep.equal({ name: 'Casa Clara', address: 'a@b.example' });
    for (const text of [
      ...[
        'nobody',
        'a@b.example, c@d.example',
        'A <a@b.example>, C <c@d.example>',
        'A <a@b.example',
        '<>',
        'a b@c.example',
      ],
      ...['A\r\nBcc: x@y.example <a@b.example>', 'A\n<a@b.example>', 'a@b.example\r\nX: y', 'A\u202eB <a@b.example>'],
    ]) {
      expect(faults({ ...SMTP, MAIL_FROM: text }), text).to.include('MAIL_FROM must ');
      expect(faults({ ...SMTP, MAIL_REPLY_TO: text }), text).to.include('MAIL_REPLY_TO must ');
    }
    expect(faults({ ...SMTP, MAIL_FROM: '' })).to.include('MAIL_FROM is missing');
  });

  it('accept whole numbers for days and connections', () => {
    expect(read({ INVITATION_DAYS: '7' })[0].invitationDays).to.equal(7);
    for (const text of ['0', '366', '1.5', 'week'])
      expect(faults({ INVITATION_DAYS: text })).to.include('INVITATION_DAYS is');
    expect(read({})[0].daily).to.deep.equal({ perAddress: 5, perKey: 5000 });
    expect(read({ DAILY_MAILS_PER_ADDRESS: '50', DAILY_MAILS_PER_KEY: '60' })[0].daily).to.deep.equal({
      perAddress: 50,
      perKey: 60,
    });
    for (const text of ['0', '1001', 'all'])
      expect(faults({ DAILY_MAILS_PER_ADDRESS: text })).to.include('DAILY_MAILS_PER_ADDRESS is');
    for (const text of ['0', '5', 'many'])
      expect(faults({ ...SMTP, SMTP_CONNECTIONS: text })).to.include('SMTP_CONNECTIONS');
  });
});
