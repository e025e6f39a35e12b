import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type RawAnswer, send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { credentials, json, refused, samplesWithBody } from './requests.ts';

databases('either');

const path = `${basePath}/applications/create-application`;

describe('request bodies', () => {
  let count = 0;
  const test = useService();
  const stage = suiteFixture(() => setStage(test));

  const bearer = () => ({ authorization: `Bearer ${test.alice.token}` });
  const valid = (title = 'Flat') =>
    JSON.stringify({ title, tenants: [{ email: `person-${++count}@mail.example`, is_lead: true }] });
  const post = (headers: Record<string, string>, body?: string | Buffer): Promise<RawAnswer> =>
    send(test.service.url, 'POST', path, { ...bearer(), ...headers }, body);
  const refusedBody = (body: string | Buffer | undefined, headers: Record<string, string> = json) =>
    refused(400, test.service.url, 'POST', path, { ...bearer(), ...headers }, body);

  const malformed = [
    '{',
    '{"title":',
    '[1',
    'nul',
    'NaN',
    "{'title':1}",
    '{"title":1,}',
    '{} {}',
    '   ',
    '\0',
    '"',
    '{"a":"\t"}',
  ];
  it('are refused when not JSON, by every operation that takes a body', async () => {
    for (const { operation, path: target } of samplesWithBody(stage))
      for (const body of [...malformed, '', undefined]) {
        const headers = { ...credentials(operation, test.alice), ...json };
        await refused(400, test.service.url, operation.method, target, headers, body);
      }
  });

  it('are refused with NUL or lone surrogates, in values and keys, at any depth', async () => {
    for (const character of ['\\u0000', '\\ud800', '\\udfff', '\\udfff\\ud800'])
      for (const body of [
        `{"title":"a${character}","tenants":[{"email":"a@mail.example","is_lead":true}]}`,
        `{"title":"a","tenants":[{"email":"a${character}@mail.example","is_lead":true}]}`,
        `{"title":"a","tenants":[{"email":"a@mail.example","is_lead":true,"${character}":1}]}`,
        `{"title":"a","tenants":[],"${character}":1}`,
        `{"title":"a","tenants":[[[{"a":["${character}"]}]]]}`,
        `"${character}"`,
      ])
        await refusedBody(body);
  });

  it('keep every other character unchanged', async () => {
    const title = '𝄞 é e\u0301 \u0001 \u2028 \uffff "\\/ <script> 😀';
    const { data } = await test.alice.ok('createApplication', { body: JSON.parse(valid(title)) });
    expect(data.title).to.equal(title);
  });

  it('are refused when not UTF-8, whatever charset is declared', async () => {
    const around = (bytes: number[]) =>
      Buffer.concat([Buffer.from('{"title":"'), Buffer.from(bytes), Buffer.from('"}')]);
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]])
      for (const type of ['application/json', 'application/json; charset=latin1'])
        await refusedBody(around(bytes), { 'content-type': type });
    for (const charset of ['utf-16', 'utf-16le', 'utf-8'])
      await refusedBody(Buffer.from(valid(), 'utf16le'), { 'content-type': `application/json; charset=${charset}` });
  });

  it('are read as JSON whatever parameters the type has: JSON is UTF-8', async () => {
    for (const type of ['application/json;charset=UTF-8', 'application/json; charset="utf-8"', 'Application/JSON; a=b'])
      expect((await post({ 'content-type': type }, valid())).status, type).to.equal(200);
  });

  it('are refused with another type or none', async () => {
    for (const type of [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/problem+json',
      'application/json, text/plain',
      'application/*',
      '*/*',
      'nonsense',
      '',
    ])
      await refusedBody(valid(), { 'content-type': type });
    await refusedBody(valid(), {});
  });

  it('are refused with 400 over the limit, however they are sent', async () => {
    const padded = (length: number) => valid() + ' '.repeat(length);
    expect((await post(json, padded(50_000))).status).to.equal(200);
    for (const huge of [padded(1_000_000), valid('a'.repeat(1_000_000))]) {
      await refusedBody(huge);
      const chunked = { method: 'POST', headers: { ...bearer(), ...json }, body: new Blob([huge]).stream() };
      expect((await fetch(`${test.service.url}${path}`, { ...chunked, duplex: 'half' })).status).to.equal(400);
    }
  });

  it('may be compressed, but not exceed the limit or be damaged when decompressed', async () => {
    const packed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    for (const [encoding, pack] of Object.entries(packed)) {
      const headers = { ...json, 'content-encoding': encoding };
      expect((await post(headers, pack(valid()))).status, encoding).to.equal(200);
      await refusedBody(pack(valid() + ' '.repeat(5_000_000)), headers);
      await refusedBody(pack(valid()).subarray(0, 20), headers);
      await refusedBody('not packed at all', headers);
    }
    for (const encoding of ['gzip, gzip', 'compress', 'aes128gcm', 'nonsense'])
      await refusedBody(gzipSync(valid()), { ...json, 'content-encoding': encoding });
  });

  it('may be very deep or wide without harm', async () => {
    const nested = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`;
    for (const deep of [nested('[', ']'), nested('{"a":', '}')]) {
      await refusedBody(deep);
      await refusedBody(`{"title":"a","tenants":${deep}}`);
      await refusedBody(`{"title":"a","tenants":[{"email":${deep},"is_lead":true}]}`);
      await refusedBody(deep.replace('1', '"\\u0000"'));
    }
    await refusedBody(
      JSON.stringify({ title: 'a', tenants: Array.from({ length: 10_000 }, () => ({ email: 1 })) }).slice(0, 99_000),
    );
    await refusedBody(JSON.stringify({ title: 'a', tenants: Array.from({ length: 5_000 }, () => ({ email: 1 })) }));
  });

  it('of many more values than any operation takes are refused for their first fault only: finding 50,000 takes a tenth of a second', async () => {
    const tenants = (count: number, tenant: string) =>
      `{"title":1,"tenants":[${Array.from({ length: count }, () => tenant).join(',')}]}`;
    const unknown = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"tenant${index}":1`).join(',')}}`;
    for (const [few, many, first] of [
      [tenants(900, '1'), tenants(49_000, '1'), 'title: must be a string.'],
      [tenants(400, '{"a":1}'), tenants(12_000, '{"a":1}'), 'title: must be a string.'],
      [unknown(900), unknown(6_000), 'title: is required.'],
    ] as const) {
      const all = JSON.parse((await post(json, few)).text).message;
      expect(all.match(/: (?:must|is) /g), few.slice(0, 30)).to.have.length(20);
      expect(JSON.parse((await post(json, many)).text).message).to.equal(first);
      expect(all).to.include(first);
    }
  });

  it('treat keys with a meaning in JavaScript as unknown fields, without side effects', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const [email, lead] = [`"email":"a@mail.example"`, `"is_lead":true`];
      await refusedBody(`{"title":"a","tenants":[{${email},${lead}}],"${key}":{"title":"b"}}`);
      await refusedBody(`{"title":"a","tenants":[{${email},"${key}":{${lead}}}]}`);
      await refusedBody(`{"${key}":{"title":"a","tenants":[{${email},${lead}}]}}`);
    }
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });
});
