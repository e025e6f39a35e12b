import { Api } from './client/Api.js';

const { BASE_URL = '', CLIENT_ID, CLIENT_SECRET } = process.env;
const api = new Api<string>({
  baseUrl: BASE_URL,
  securityWorker: (Authorization) => (Authorization ? { headers: { Authorization } } : {}),
});
api.setSecurityData(`Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`);
const issued = await api.authenticate.generateToken();
api.setSecurityData(`Bearer ${issued.data.data.access_token}`);
const tenants = [{ email: 'amina.diallo@mail.example', is_lead: true }, { email: 'noah.meyer@mail.example' }];
const created = await api.applications.createApplication({ title: 'Studio', tenants });
const applicationId: string = created.data.data.application_id;
const { data } = await api.applications.getApplication(applicationId);
console.log(`${data.data.title} (${applicationId})`);
for (const { email, consent_status } of data.data.participants) console.log(`  ${email}: ${consent_status}`);
