import { client } from './client/client.gen.js';
import { createApplication, generateToken, getApplication } from './client/index.js';

const { BASE_URL = '', CLIENT_ID, CLIENT_SECRET } = process.env;
let token = '';
client.setConfig({
  baseUrl: BASE_URL,
  throwOnError: true,
  auth: ({ scheme }) => (scheme === 'basic' ? `${CLIENT_ID}:${CLIENT_SECRET}` : token),
});
const issued = await generateToken<true>();
token = issued.data.data.access_token;
const tenants = [{ email: 'amina.diallo@mail.example', is_lead: true }, { email: 'noah.meyer@mail.example' }];
const created = await createApplication<true>({ body: { title: 'Studio', tenants } });
const applicationId: string = created.data.data.application_id;
const { data } = await getApplication<true>({ path: { applicationId } });
console.log(`${data.data.title} (${applicationId})`);
for (const { email, consent_status } of data.data.participants) console.log(`  ${email}: ${consent_status}`);
