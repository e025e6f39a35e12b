import { basePath } from '../../harness/contract/contract.ts';
import type { World } from '../properties/world.ts';

const create = `${basePath}/applications/create-application`;
const hook = `${basePath}/webhooks/create-webhook`;
const list = `${basePath}/property-management/workspaces`;

/** Raw bytes of connections that no ordinary client sends, keyed by their peculiarity. */
export function connections({ owner }: World): Record<string, string> {
  const bearer = `Authorization: Bearer ${owner.token}\r\n`;
  const json = 'Content-Type: application/json\r\n';
  const head = (line: string, ...headers: string[]) => `${line} HTTP/1.1\r\nHost: api\r\n${headers.join('')}`;
  const last = 'Connection: close\r\n';
  const sized = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const chunked = (...chunks: string[]) =>
    `Transfer-Encoding: chunked\r\n\r\n${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}`;
  const post = (path: string) => head(`POST ${path}`, bearer, json);
  const url = '{"url":"https://hook.example/"}';
  return {
    'requests in a row on one connection': [
      `${post(hook)}${sized('{"url":1}')}`,
      `${post(hook)}${sized(url)}`,
      `${head(`GET ${list}`, bearer)}\r\n`,
      `${head(`GET ${list}`)}\r\n`,
      `${head(`GET ${list}`, bearer)}\r\n`,
      `${post(create)}${sized('{')}`,
      `${head(`GET ${list}/`, bearer, last)}\r\n`,
    ].join(''),
    'a body of one chunk': `${post(hook)}${last}${chunked(url, '')}`,
    'a body of a chunk for each character': `${post(hook)}${last}${chunked(...url, '')}`,
    'no body in chunks': `${post(hook)}${last}${chunked('')}`,
    'an invalid chunk': `${post(hook)}${last}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
    'chunks over the limit': `${post(hook)}${last}${chunked(`{"url":"${'a'.repeat(60_000)}`, `${'a'.repeat(60_000)}"}`, '')}`,
    'no length at all': `${post(hook)}${last}\r\n`,
    'a length of nothing': `${post(hook)}${last}${sized('')}`,
    'an expectation to continue': `${post(hook)}${last}Expect: 100-continue\r\n${sized(url)}`,
    'an expectation no one has': `${post(hook)}${last}Expect: something\r\n${sized(url)}`,
    'a body where none is taken': `${head(`GET ${list}`, bearer, json, last)}${sized('{')}`,
    'HTTP/1.0': `GET ${list} HTTP/1.0\r\n${bearer}\r\n`,
    'a header twice': `${head(`GET ${list}`, bearer, bearer, last)}\r\n`,
    'an empty header first': `${head(`GET ${list}`, 'Authorization:\r\n', bearer, last)}\r\n`,
    'two types, the first good': `${post(hook)}Content-Type: text/plain\r\n${last}${sized(url)}`,
    'a method in a header': `${head(`GET ${list}`, bearer, 'X-HTTP-Method-Override: DELETE\r\n', last)}\r\n`,
    'a token in a cookie': `${head(`GET ${list}`, `Cookie: access_token=${owner.token}; __proto__=1; a=%zz\r\n`, last)}\r\n`,
    'a target with a host': `${head('GET http://elsewhere.example/nothing', bearer, last)}\r\n`,
    'an asterisk': `${head('OPTIONS *', bearer, last)}\r\n`,
    'a page that may not ask': `${head(`GET ${list}`, bearer, 'Origin: https://elsewhere.example\r\n', last)}\r\n`,
    'a type that is not accepted': `${head(`GET ${list}`, bearer, 'Accept: text/html\r\n', last)}\r\n`,
    'a condition': `${head(`GET ${list}`, bearer, 'If-None-Match: *\r\n', last)}\r\n`,
    'a part': `${head(`GET ${list}`, bearer, 'Range: bytes=0-3\r\n', last)}\r\n`,
  };
}
