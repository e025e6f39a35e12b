import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { temporaryFolder, testFixture } from '../../harness/mocha/fixtures.ts';
import { useService } from '../../harness/service/service.ts';

interface Generator {
  name: string;
  command: string[];
  /** The generators' output on success; any other line is a warning. */
  chatter: RegExp;
  /** An integrator's program in TypeScript, from token to application, which it prints. */
  program: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const contract = join(root, 'openapi.yaml');

const generators: Generator[] = [
  {
    name: '@hey-api/openapi-ts',
    command: ['openapi-ts', '--input', contract, '--output', 'client', '--no-log-file'],
    chatter: /^(@hey-api\/openapi-ts v.*|\[Job 1\] .*)$/,
    program: `
      import { client } from './client/client.gen.js';
      import { createApplication, generateToken, getApplication } from './client/index.js';

      const { BASE_URL = '', CLIENT_ID, CLIENT_SECRET } = process.env;
      let token = '';
      client.setConfig({
        baseUrl: BASE_URL,
        throwOnError: true,
        auth: ({ scheme }) => (scheme === 'basic' ? \`\${CLIENT_ID}:\${CLIENT_SECRET}\` : token),
      });
      const issued = await generateToken<true>();
      token = issued.data.data.access_token;
      const tenants = [{ email: 'amina.diallo@mail.example', is_lead: true }, { email: 'noah.meyer@mail.example' }];
      const created = await createApplication<true>({ body: { title: 'Studio', tenants } });
      const applicationId: string = created.data.data.application_id;
      const { data } = await getApplication<true>({ path: { applicationId } });
      const [lead] = data.data.participants;
      const email: string | undefined = lead?.email;
      console.log(JSON.stringify({ applicationId, email, title: data.data.title }));`,
  },
  {
    name: 'swagger-typescript-api',
    command: ['swagger-typescript-api', 'generate', '--path', contract, '--output', 'client'],
    chatter: /^[ℹ✔] .*$/,
    program: `
      import { Api } from './client/Api.js';

      const { BASE_URL = '', CLIENT_ID, CLIENT_SECRET } = process.env;
      const api = new Api<string>({
        baseUrl: BASE_URL,
        securityWorker: (Authorization) => (Authorization ? { headers: { Authorization } } : {}),
      });
      api.setSecurityData('Basic ' + btoa(\`\${CLIENT_ID}:\${CLIENT_SECRET}\`));
      const issued = await api.authenticate.generateToken();
      api.setSecurityData('Bearer ' + issued.data.data.access_token);
      const tenants = [{ email: 'amina.diallo@mail.example', is_lead: true }, { email: 'noah.meyer@mail.example' }];
      const created = await api.applications.createApplication({ title: 'Studio', tenants });
      const applicationId: string = created.data.data.application_id;
      const { data } = await api.applications.getApplication(applicationId);
      const [lead] = data.data.participants;
      const email: string | undefined = lead?.email;
      console.log(JSON.stringify({ applicationId, email, title: data.data.title }));`,
  },
];

const tsconfig = {
  compilerOptions: {
    strict: true,
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
    outDir: 'built',
    rootDir: '.',
    skipLibCheck: true,
  },
  include: ['client', 'program.ts'],
};

describe('a client generated from the contract', () => {
  const folder = testFixture(temporaryFolder);
  const test = useService();

  for (const { name, command, chatter, program } of generators)
    it(`${name}: is generated without a complaint, compiles strictly and gets from token to application`, async () => {
      const complaints = (await tool(command)).split('\n').filter((line) => line !== '' && !chatter.test(line));
      expect(complaints, 'what the generator says').to.deep.equal([]);
      await compile(program);
      const { title, email, applicationId } = JSON.parse(await run(process.execPath, ['built/program.js']));
      expect({ title, email }).to.deep.equal({ title: 'Studio', email: 'amina.diallo@mail.example' });
      await test.alice.ok('getApplication', { params: { applicationId } });
    });

  async function compile(program: string): Promise<void> {
    await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(tsconfig));
    await writeFile(join(folder.path, 'program.ts'), program);
    await checkAll(join(folder.path, 'client/Api.ts'));
    expect(await tool(['tsc', '-p', '.']), 'what the compiler says').to.equal('');
  }

  /** Runs a locally installed program in this test's folder. @returns its output without colours */
  async function tool([program = '', ...args]: string[]): Promise<string> {
    return stripVTControlCharacters(await run(join(root, 'node_modules/.bin', program), args));
  }

  function run(program: string, args: string[]): Promise<string> {
    const { alice, service } = test;
    const env = {
      PATH: join(root, 'node_modules/.bin'),
      BASE_URL: `${service.url}${basePath}`,
      CLIENT_ID: alice.clientId,
      CLIENT_SECRET: alice.clientSecret,
    };
    return new Promise((resolve, reject) => {
      execFile(program, args, { cwd: folder.path, env }, (error, stdout, stderr) => {
        const said = `${stdout}${stderr}`;
        if (error) reject(new Error(`${program} ${args.join(' ')}\n${said}`));
        else resolve(said);
      });
    });
  }
});

/** One generator emits `@ts-nocheck`. */
async function checkAll(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) await writeFile(file, text.replace('// @ts-nocheck', ''));
}
