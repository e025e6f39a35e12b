/** Replaces `curl` on a machine that has none. Supports the options used by the first call. */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'write-out': { type: 'string', short: 'w', default: '' },
    request: { type: 'string', short: 'X' },
    user: { type: 'string', short: 'u' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
});
const [url = ''] = positionals;
const headers = new Headers();
for (const line of values.header) {
  const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? [];
  headers.set(name, value);
}
if (values.user) headers.set('Authorization', `Basic ${Buffer.from(values.user).toString('base64')}`);
const body = values.data === undefined ? {} : { body: values.data };
const answer = await fetch(url, { method: values.request ?? 'GET', headers, ...body });
process.stdout.write((await answer.text()) + values['write-out'].replaceAll('\\n', '\n'));
