/** From credentials to an application, with openapi-fetch on the types that are generated from the contract. */
import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.d.ts';

const { BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env;
if (!BASE_URL || !CLIENT_ID || !CLIENT_SECRET) {
  console.error('Set BASE_URL, CLIENT_ID and CLIENT_SECRET, or add --env-file=data/demo.env behind `node`.');
  process.exit(1);
}

const api = createClient<paths>({ baseUrl: BASE_URL });

const credentials = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
const token = dataOf(await api.POST('/authenticate/token', { headers: { Authorization: `Basic ${credentials}` } }));
api.use({
  onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${token.access_token}`),
});

const tenants = [
  { email: 'amina.diallo@mail.example', is_lead: true },
  { email: 'noah.meyer@mail.example', is_lead: false },
];
const body = { title: 'Studio at Gran Vía 7', tenants } satisfies components['schemas']['ApplicationDraft'];
const created = await api.POST('/applications/create-application', { body });
const applicationId = dataOf(created).application_id;

const { title, participants } = dataOf(
  await api.GET('/applications/{applicationId}', { params: { path: { applicationId } } }),
);
console.log(`${title} (${applicationId})`);
for (const { email, consent_status } of participants) console.log(`  ${email}: ${consent_status}`);

interface Answer<Data> {
  data?: { data: Data };
  error?: components['schemas']['Error'];
  response: Response;
}

/** The data of a successful response. @throws the message of the error envelope, which says how to fix it */
function dataOf<Data>({ data, error, response }: Answer<Data>): Data {
  if (data) return data.data;
  throw new Error(`${response.status} ${error?.message ?? response.statusText}`);
}
