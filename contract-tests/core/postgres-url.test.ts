import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { readPostgresUrl } from '../../core/settings/postgres-url.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('DATABASE_URL', () => {
  const urlOf = (text: string) => {
    const read = readPostgresUrl(text);
    return 'url' in read ? read.url : expect.fail(read.fault);
  };

  it('takes the addresses of servers and of sockets, also as Google writes them', () => {
    for (const text of [
      'postgres://user:pass@db.example:5432/app',
      'postgresql://user:a%2Fb%23c@[2001:db8::1]/app?sslmode=disable',
      'postgres://user:pass@%2Fcloudsql%2Fp%3Ar%3Ai/app',
      'postgres:///app?host=/run/postgresql',
      'postgres://db.example/app?application_name=a@b',
      'postgres://u:100%pure@db.example/app',
    ])
      expect(urlOf(text)).to.equal(text);
    expect(urlOf('postgres://user:pass@/app?host=/cloudsql/p:r:i')).to.equal(
      'postgres://user:pass@localhost/app?host=/cloudsql/p:r:i',
    );
  });

  it('takes the modes that the driver treats as verify-full as that, so that it prints no warning', () => {
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
      expect(urlOf(`postgres://u:p@db.example/app?sslmode=${mode}&x=1`)).to.equal(
        'postgres://u:p@db.example/app?sslmode=verify-full&x=1',
      );
    for (const query of ['sslmode=no-verify', 'uselibpqcompat=true&sslmode=require'])
      expect(urlOf(`postgres://u:p@db.example/app?${query}`)).to.include(query);
  });

  const faults: Record<string, RegExp> = {
    '"postgres://u:hush@db.example/app"': /is in quotation marks; leave them out/,
    'jdbc:postgresql://db.example/app?password=hush': /for Java; write postgres:/,
    'postgresql+asyncpg://u:hush@db.example/app': /driver of another language; write postgres:/,
    'host=db.example user=u password=hush': /list of keywords; write postgres:/,
    'socket:/cloudsql/p:r:i?db=hush': /names a socket; write postgres:.*[?]host=/,
    '/cloudsql/hush': /names a socket; write postgres:/,
    'mysql://u:hush@db.example/app':
      /must be sqlite:<file> or postgres:.*, not the address of another kind of database/,
    'postgres://u:hush#x@db.example/app': /percent-encode them as %2F, %3F and %23/,
    'postgres://u:hush/x@db.example/app': /percent-encode them/,
    'postgres://u:hush?x@db.example/app': /percent-encode them/,
    'postgres://u:1/hush@db.example/app': /percent-encode them/,
    'postgres://u:100%abhush@db.example/app': /percent sign that encodes no character; write it as %25/,
    'postgres://hu%bcsh:hush@db.example/app': /percent sign that encodes no character/,
    'postgres://u:hush@db.example/a%ffp': /percent sign that encodes no character/,
    'postgres://u:hush@db.example:70000/app': /a port from 1 to 65535/,
    'postgres://u:hush@a.example:5432,b.example:5432/app': /names several hosts; name the primary/,
    'postgres://u:hush@db.example/app?sslmode=yes': /unknown sslmode; use disable, .* or verify-ca/,
    'postgres://u:hush@db.example/app?sslmode=REQUIRE': /unknown sslmode/,
    'db.example/hush': /must be sqlite:<file> or postgres:/,
  };
  for (const [text, fault] of Object.entries(faults))
    it(`is refused with the form to write, and without being shown: ${text}`, () => {
      expect(() => readConfig({ DATABASE_URL: text }))
        .to.throw(ConfigError)
        .with.property('message')
        .that.matches(fault)
        .and.does.not.include('hush');
    });
});
