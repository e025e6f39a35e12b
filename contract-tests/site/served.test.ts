import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import express from 'express';
import { parse } from 'yaml';
import { databases } from '../../harness/database/dialect.ts';
import { send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { docs } from '../../http/docs.ts';
import { expectRefusal } from '../edge/requests.ts';

databases('sqlite');

const contractFile = new URL('../../openapi.yaml', import.meta.url);

/** Raw bytes, because `fetch` would decompress them. */
function bytes(url: string, encoding: string): Promise<{ headers: IncomingHttpHeaders; content: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (incoming) => {
      buffer(incoming).then((content) => resolve({ headers: incoming.headers, content }), reject);
    }).on('error', reject);
  });
}

describe('the site served by the service', () => {
  let url: string;
  const test = useService();
  before(() => {
    url = test.service.url;
  });

  it('serves the contract byte for byte, and the same as JSON', async () => {
    const contract = await readFile(contractFile, 'utf8');
    for (const folder of ['', '/docs']) {
      const yaml = await send(url, 'GET', `${folder}/openapi.yaml`);
      expect(yaml.text).to.equal(contract);
      expect(yaml.headers['content-type']).to.equal('application/yaml');
      const json = await send(url, 'GET', `${folder}/openapi.json`);
      expect(JSON.parse(json.text)).to.deep.equal(parse(contract));
      expect(json.headers['content-type']).to.equal('application/json');
    }
  });

  it('is a folder: its bare name redirects into it, wherever a proxy puts it', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(url, method, '/docs');
      expect([answer.status, answer.headers['location']]).to.deep.equal([308, 'docs/']);
    }
    expect((await send(url, 'GET', '/docs/')).text).to.equal((await send(url, 'GET', '/docs/index.html')).text);
  });

  it('refuses missing files and wrong methods in the common envelope', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs//',
      '/docs/assets',
      '/docs/../openapi.yaml',
      '/Docs/',
      '/openapi.yaml/',
      '/openapi.yml',
    ])
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
        expectRefusal(`${method} ${path}`, await send(url, method, path), 404);
    for (const path of ['/docs', '/docs/', '/docs/reference.html', '/openapi.yaml', '/openapi.json'])
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const answer = await send(url, method, path);
        expectRefusal(`${method} ${path}`, answer, 405);
        expect(answer.headers['allow']).to.equal('GET, HEAD');
      }
  });

  it('shows people a page for a missing address, with links that work at any depth', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const path of ['/docs/nothing', '/docs/a/b/nothing.html', '/docs/assets/', '/docs//']) {
      const answer = await send(url, 'GET', path, { accept });
      expect([answer.status, answer.headers['content-type']], path).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect(String(answer.headers['content-security-policy'])).to.include("frame-ancestors 'none'");
      expect(answer.headers['vary']).to.equal('Accept');
      for (const [, link = ''] of answer.text.matchAll(/ (?:href|src)="([^"#]+)/g)) {
        const target = new URL(link, url + path).pathname;
        expect((await send(url, 'GET', target)).status, `${link} on ${path}`).to.equal(200);
      }
      const head = await send(url, 'HEAD', path, { accept });
      expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([
        404,
        '',
        answer.headers['content-length'],
      ]);
      for (const [method, other, asked] of [
        ['GET', path, 'application/json, text/html;q=0.5'],
        ['GET', path, '*/*'],
        ['POST', path, accept],
        ['GET', '/nothing', accept],
        ['GET', '/docsx/', accept],
      ] as const)
        expectRefusal(`${method} ${other}`, await send(url, method, other, { accept: asked }), 404);
    }
  });

  it('answers HEAD with GET’s headers and no body', async () => {
    for (const path of ['/docs/', '/docs/assets/scalar.js', '/openapi.json']) {
      const { date: _date, 'x-request-id': _id, ...got } = (await send(url, 'GET', path)).headers;
      const head = await send(url, 'HEAD', path);
      expect(head.text).to.equal('');
      expect(head.headers).to.include(got);
    }
  });

  it('compresses large files as the reader accepts', async () => {
    const plain = await bytes(`${url}/docs/assets/scalar.js`, 'identity');
    const brotli = await bytes(`${url}/docs/assets/scalar.js`, 'gzip, deflate, br');
    const gzip = await bytes(`${url}/docs/assets/scalar.js`, 'gzip, br;q=0');
    expect(brotli.headers['content-encoding']).to.equal('br');
    expect(gzip.headers['content-encoding']).to.equal('gzip');
    expect(brotliDecompressSync(brotli.content).equals(plain.content)).to.equal(true);
    expect(gunzipSync(gzip.content).equals(plain.content)).to.equal(true);
    expect(brotli.content.length).to.be.below(plain.content.length / 3);
    const tags = [plain, brotli, gzip].map(({ headers }) => headers.etag);
    expect(new Set(tags).size, 'each form has a tag of its own').to.equal(3);
    for (const { headers } of [plain, brotli, gzip]) expect(headers.vary).to.equal('Accept-Encoding');
  });

  it('answers 304 to readers who have the file', async () => {
    const first = await send(url, 'GET', '/docs/assets/site.css');
    const etag = String(first.headers['etag']);
    const again = await send(url, 'GET', '/docs/assets/site.css', { 'if-none-match': etag });
    expect([again.status, again.text, again.headers['etag']]).to.deep.equal([304, '', etag]);
    expect((await send(url, 'GET', '/docs/assets/site.css', { 'if-none-match': '"old"' })).status).to.equal(200);
  });

  it('lets pages load only their own files, and only the reference make calls', async () => {
    for (const [page, styles, calls] of [
      ['index.html', "style-src 'self';", undefined],
      ['reference.html', "style-src 'self' 'unsafe-inline';", "connect-src 'self';"],
    ]) {
      const { headers } = await send(url, 'GET', `/docs/${page}`);
      const policy = String(headers['content-security-policy']);
      expect(policy).to.include("img-src 'self';").and.not.include('file:');
      expect(policy).to.include("default-src 'none'; script-src 'self';").and.include(styles);
      expect(policy).to.include("base-uri 'none'").and.include("frame-ancestors 'none'");
      if (calls) expect(policy).to.include(calls);
      else expect(policy).to.not.include('connect-src');
      expect(headers['x-content-type-options']).to.equal('nosniff');
      expect(headers['cache-control']).to.equal('public, no-cache');
    }
  });

  it('sends readers of a live service to the sandbox, and allows them no calls', async () => {
    const app = express().use(docs({ mode: 'live' }));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const live = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { headers } = await send(live, 'GET', '/docs/reference.html');
      const policy = String(headers['content-security-policy']);
      expect(policy).to.include('connect-src https://sandbox.tenant-screening.example;');
      const { text } = await send(live, 'GET', '/docs/assets/contract.js');
      expect(text).to.include('"servers":[{"url":"https://sandbox.tenant-screening.example/api/v1"');
    } finally {
      server.close();
    }
  });
});
