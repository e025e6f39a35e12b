import { ApplicationsApi, AuthenticationApi, Configuration } from './client';

async function story(): Promise<void> {
  const { BASE_URL: basePath, CLIENT_ID: username, CLIENT_SECRET: password } = process.env;
  const authentication = new AuthenticationApi(new Configuration({ basePath, username, password }));
  const { accessToken } = (await authentication.generateToken()).data;

  const applications = new ApplicationsApi(new Configuration({ basePath, accessToken }));
  const tenants = [{ email: 'amina.diallo@mail.example', isLead: true }, { email: 'noah.meyer@mail.example' }];
  const { data: created } = await applications.createApplication({ applicationDraft: { title: 'Studio', tenants } });
  const { data: found } = await applications.getApplication({ applicationId: created.applicationId });
  console.log(`${found.title} (${found.applicationId})`);
  for (const { email, consentStatus } of found.participants) console.log(`  ${email}: ${consentStatus}`);
}

void story();
