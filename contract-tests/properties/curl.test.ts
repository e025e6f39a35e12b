import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import { databases } from '../../harness/database/dialect.ts';
import { type Call, curlLine, type Placeholders, preparation } from './curl.ts';
import { textOf } from './texts.ts';

databases('none');

const URL = 'http://127.0.0.1:3000';
const none: Placeholders = new Map();

/** Runs a line in a real shell whose `curl` prints its arguments byte for byte. */
function received(line: string, env: Record<string, string> = {}): { words: Buffer[]; input: Buffer } {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\0'; cat; }\n${line}`;
  const told = execFileSync('sh', ['-c', script], { env: { PATH: process.env['PATH'], ...env }, input: '' });
  const end = told.indexOf('\0\0');
  const words = told.subarray(0, end).toString('latin1').split('\0');
  return { words: words.map((word) => Buffer.from(word, 'latin1')), input: told.subarray(end + 2) };
}

/** The bytes that curl would send. */
function asCall({ words, input }: ReturnType<typeof received>): { call: Call; url: string } {
  const text = words.map((word) => word.toString('latin1'));
  const after = (option: string) => text.flatMap((word, index) => (word === option ? [text[index + 1] ?? ''] : []));
  const headers = after('-H').map((header): [string, string] => {
    const [name = '', ...value] = header.endsWith(';') ? [header.slice(0, -1)] : header.split(': ');
    return [name, value.join(': ')];
  });
  const body = words[text.indexOf('--data-binary') + 1];
  const [method = ''] = after('-X');
  const [url = ''] = text.filter((word) => word.startsWith('http'));
  const sent = body?.toString() === '@-' ? input : body;
  return {
    url,
    call: {
      method,
      path: url.slice(URL.length),
      headers,
      ...(text.includes('--data-binary') && sent ? { body: sent } : {}),
    },
  };
}

const JSON_TYPE: [string, string] = ['content-type', 'application/json'];

describe('a failing case as a curl command', () => {
  it('reads like a handwritten command for a plain request', () => {
    const call = {
      method: 'POST',
      path: '/api/v1/x?a=b',
      headers: [JSON_TYPE, ['authorization', 'Bearer abc']],
      body: Buffer.from('{"a":"it\'s"}'),
    } satisfies Call;
    expect(curlLine(URL, call, new Map([['abc', 'TOKEN']]))).to.equal(
      `curl -sS -i --globoff --path-as-is -X POST '${URL}/api/v1/x?a=b' -H 'content-type: application/json' ` +
        `-H 'authorization: Bearer '"$TOKEN" --data-binary '{"a":"it'\\''s"}'`,
    );
  });

  it('means the same bytes to a shell, whatever they are', () => {
    const bytes = fc.oneof(
      textOf(0, 200).map((text) => Buffer.from(JSON.stringify({ text }))),
      fc.uint8Array({ minLength: 1, maxLength: 60 }).map((array) => Buffer.from(array)),
      fc.constantFrom('@-', '@/etc/passwd', '%s%n', '\\000', "'", '$(id)', '\0', '\n').map((text) => Buffer.from(text)),
    );
    const value = fc.constantFrom('Bearer a.b.c', '', '"', "it's", '$(id)', '`id`', '\\', '\xf1\xe9', '%s', '\t');
    const path = fc.constantFrom("/a'b", '/a%00', '/[1]{2}', '/..%2f', '/a?b=$c&d=`e`', '/*');
    const calls = fc.record({ method: fc.constantFrom('GET', 'PATCH'), path, value, body: bytes });
    const holds = ({
      method,
      path: target,
      value: given,
      body,
    }: {
      method: string;
      path: string;
      value: string;
      body: Buffer;
    }) => {
      const call: Call = { method, path: target, headers: [JSON_TYPE, ['x-given', given], ['x-given', 'again']], body };
      expect(asCall(received(curlLine(URL, call, none)))).to.deep.equal({ url: `${URL}${target}`, call });
    };
    fc.assert(fc.property(calls, holds), { seed: 1, numRuns: 60 });
  });

  it('reads secrets from the environment instead of showing them', () => {
    const call: Call = {
      method: 'GET',
      path: '/x',
      headers: [['authorization', "Bearer it's.secret, Bearer it's.secret"]],
    };
    const line = curlLine(URL, call, new Map([["it's.secret", 'TOKEN']]));
    expect(line).to.not.include('secret');
    expect(asCall(received(line, { TOKEN: "it's.secret" })).call).to.deep.equal(call);
  });

  it('comes with one line for each secret that it reads from the environment, and no other', () => {
    const [source, ...lines] = preparation(`curl '-H' 'authorization: Bearer '"$OUTSIDER_TOKEN"`).split('\n');
    expect(source).to.match(/^\. data\/demo\.env/);
    const script = `curl() { printf '{"data":{"access_token":"a.b","token_type":"Bearer"}}'; }\n${lines.join('\n')}`;
    const told = execFileSync('sh', ['-c', `${script}\nprintf %s "$OUTSIDER_TOKEN $TOKEN"`], { encoding: 'utf8' });
    expect(told).to.equal('a.b ');
  });

  it('makes curl send no type of its own when the request has none', () => {
    const line = curlLine(URL, { method: 'POST', path: '/x', headers: [], body: Buffer.from('{}') }, none);
    expect(line).to.include("-H 'content-type:'");
  });
});
