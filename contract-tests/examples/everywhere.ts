import type { Scenarios } from './scene.ts';

/** Larger than the limit on request bodies. */
const LARGE = JSON.stringify({ title: 'x'.repeat(200_000) });

/** Examples that every operation answers in the same way, by status and name. */
export const everywhere: Scenarios = {
  '401 noToken': () => ({ headers: { authorization: '' } }),
  '401 badToken': () => ({ headers: { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' } }),
  // The runner removes the API keys during the request.
  '500 unexpected': () => ({}),
  '400 malformedPath': (_scene, { operation }) => ({
    params: Object.fromEntries([...operation.template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '%zz'])),
    ...(operation.method === 'GET' ? {} : { body: {} }),
  }),
  '400 bodyMissing': () => ({ text: '' }),
  '400 notJson': () => ({ text: '{"title": ' }),
  '400 wrongContentType': () => ({ text: '{}', headers: { 'content-type': 'text/plain' } }),
  '400 bodyTooLarge': () => ({ text: LARGE }),
};
