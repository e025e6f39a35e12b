import { expect } from 'chai';
import { type AddressPolicy, readCallerAddress } from '../../core/addresses/caller-address.ts';
import { WRITTEN_FAULTS as FAULTS } from '../../core/messages.ts';
import { readBySchema } from '../../core/schema.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

/** One object each, because Ajv compiles every schema object that it has not seen. */
const SCHEMAS = { uri: { type: 'string', format: 'uri' }, email: { type: 'string', format: 'email' } };

const live: AddressPolicy = { allowLoopback: false, requireHttps: true };

/** As the contract and then the rules for callers' addresses judge it; undefined when it is accepted. */
function faultOf(format: 'uri' | 'email', text: string): string | undefined {
  const read = readBySchema<string>(SCHEMAS[format], text);
  if ('faults' in read) return read.faults[0]?.message;
  return format === 'uri' ? readCallerAddress(text, live).fault?.replace(/[.]$/, '') : undefined;
}

const GENERIC = /^must be an (?:absolute|e-mail) address/;

/** Characters of each kind that addresses contain by accident. */
const ACCIDENTS = [
  ...' \t\n\r"<>[]{}|\\^`%#?@:;,\'()&+*=é߀ñ東☃：／．。＠“”…–\u00a0\u00ad\u200b\u200e\u2060\ufeff\u0301',
];

/** Each accident at each place. */
function* spoilt(text: string): Generator<string> {
  for (const character of ACCIDENTS)
    for (let at = 0; at <= text.length; at++) yield text.slice(0, at) + character + text.slice(at);
}

describe('an address that is rejected', () => {
  const written: Record<string, [format: 'uri' | 'email', text: string, fault: string]> = {
    'a host in another script': ['uri', 'https://bücher.example/', FAULTS.notAsciiHost('xn--bcher-kva.example')],
    'a joiner in a host': ['uri', 'https://نامه‌ای.example/', FAULTS.notAsciiHost('xn--mgba3gch31f060k.example')],
    'another full stop': ['uri', 'https://hook。example/', FAULTS.notAsciiHost('hook.example')],
    'brackets in the query': ['uri', 'https://hook.example/?f[x]=1', FAULTS.writtenAs('[', 'in its query', '%5B')],
    'a bar': ['uri', 'https://hook.example/?q=a|b', FAULTS.writtenAs('|', 'in its query', '%7C')],
    'a placeholder': ['uri', 'https://hook.example/{id}', FAULTS.writtenAs('{', 'in its path', '%7B')],
    'a space in the path': ['uri', 'https://hook.example/a b', FAULTS.writtenAs('a space', 'in its path', '%20')],
    'a second number sign': ['uri', 'https://hook.example/#a#b', FAULTS.writtenAs('#', 'in its fragment', '%23')],
    'a space before it': ['uri', ' https://hook.example/', FAULTS.unwanted('a space', 'at the beginning')],
    'a line break after it': ['uri', 'https://hook.example/\n', FAULTS.unwanted('a line break', 'at the end')],
    'a byte order mark': [
      'uri',
      '\ufeffhttps://hook.example/',
      FAULTS.unwanted('the invisible character U+FEFF', 'at the beginning'),
    ],
    'a percent sign alone': ['uri', 'https://hook.example/100%', FAULTS.percent('in its path')],
    'quotation marks': ['uri', '“https://hook.example/”', FAULTS.enclosed('quotation marks')],
    'angle brackets': ['uri', '<https://hook.example/>', FAULTS.enclosed('angle brackets')],
    'no colon': ['uri', 'https//hook.example/', FAULTS.noColon()],
    'one slash': ['uri', 'https:/hook.example/', FAULTS.noSlashes()],
    backslashes: ['uri', 'https:\\\\hook.example\\x', FAULTS.instead('\\', '/')],
    'a fullwidth colon': ['uri', 'https：//hook.example/', FAULTS.instead('：', ':')],
    'a misspelt scheme': ['uri', 'htps://hook.example/', FAULTS.otherScheme('htps')],
    'no scheme': ['uri', 'hook.example/x', FAULTS.noScheme()],
    'no host': ['uri', 'https:///x', FAULTS.noHost()],
    'a port beyond the last': ['uri', 'https://hook.example:70000/', FAULTS.port()],
    'IPv6 without brackets': ['uri', 'https://2606:4700::1111/', FAULTS.ipv6('2606:4700::1111')],
    'brackets around a name': ['uri', 'https://[hook.example]/', FAULTS.brackets()],
    'a letter with an accent': ['email', 'josé@x.example', FAULTS.notAsciiLocalPart('é')],
    'a letter and its accent': ['email', 'jose\u0301@x.example', FAULTS.notAsciiLocalPart('é')],
    'a domain in another script': ['email', 'a@müller.example', FAULTS.notAsciiDomain('xn--mller-kva.example')],
    'a space after an e-mail address': ['email', 'a@x.example ', FAULTS.unwanted('a space', 'at the end')],
    'an invisible character after it': [
      'email',
      'a@x.example\u200b',
      FAULTS.unwanted('the invisible character U+200B', 'at the end'),
    ],
    'a name beside it': ['email', 'Ann <a@x.example>', FAULTS.enclosed('a name or angle brackets')],
    'a link': ['email', 'mailto:a@x.example', FAULTS.mailto()],
    'several e-mail addresses': ['email', 'a@x.example; b@x.example', FAULTS.severalEmails()],
    'two dots in a row': ['email', 'a..b@x.example', FAULTS.dots('before the @')],
    'a full stop after it': ['email', 'a@x.example.', FAULTS.dots('after the @')],
    'no domain with a dot': ['email', 'a@mail', FAULTS.noDomain()],
    'a fullwidth at sign': ['email', 'a＠x.example', FAULTS.instead('＠', '@')],
  };
  for (const [what, [format, text, fault]] of Object.entries(written))
    it(`for ${what} gets a message that says so: ${fault}`, () => {
      expect(faultOf(format, text)).to.equal(fault);
    });

  it('has its fault named, whichever character is at whichever place', () => {
    for (const [format, text] of [
      ['uri', 'https://hook.example:443/path/x?query=1#part'],
      ['email', 'marta.ruiz@mail.example'],
    ] as const)
      for (const faulty of spoilt(text)) {
        const fault = faultOf(format, faulty);
        if (fault !== undefined)
          expect(fault, JSON.stringify(faulty)).to.match(/^must (?!be an (?:absolute|e-mail) address).*[^.]$/);
      }
  });

  it('is accepted in the written form that the message gives', () => {
    const accepted: string[] = [];
    for (const faulty of spoilt('https://hook.example/path?query=1#part')) {
      const [, written] = /^must not contain .*; write it as (\S+)$/.exec(faultOf('uri', faulty) ?? '') ?? [];
      if (written === undefined) continue;
      const character = decodeURIComponent(written);
      const at = character === '#' ? faulty.lastIndexOf(character) : faulty.indexOf(character);
      const mended = faulty.slice(0, at) + written + faulty.slice(at + character.length);
      // A number sign within the host makes it another host.
      if (!/^https:..[^/?]*#/.test(mended)) expect(faultOf('uri', mended), mended).to.equal(undefined);
      accepted.push(mended);
    }
    expect(accepted).to.have.lengthOf.above(100);
    for (const host of ['bücher', '東京', 'пример', 'نامه‌ای']) {
      const [, ascii = ''] = /write it as (\S+)$/.exec(faultOf('uri', `https://${host}.example/`) ?? '') ?? [];
      expect(faultOf('uri', `https://${ascii}/`), ascii).to.equal(undefined);
      const [, domain = ''] = /write it as (\S+)$/.exec(faultOf('email', `a@${host}.example`) ?? '') ?? [];
      expect(faultOf('email', `a@${domain}`), domain).to.equal(undefined);
    }
  });

  it('gets the general message when it is no address at all', () => {
    for (const text of ['letting', '', '/hook', 'a b']) expect(faultOf('uri', text), text).to.match(GENERIC);
    for (const text of ['letting', 'a b', '']) expect(faultOf('email', text), text).to.match(GENERIC);
    expect(faultOf('uri', 'ftp://hook.example/')).to.equal('must be an absolute http or https address');
  });
});
