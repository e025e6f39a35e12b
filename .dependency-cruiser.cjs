/**
 * What may import what. Layers first, rooms inside them second; everything that is not listed here is refused.
 * `contract-tests/imports.test.ts` breaks every rule once and sees it refused.
 */

const forensics = require('@tenant-screening/forensics/package.json');
const webhookTools = require('@tenant-screening/webhook-tools/package.json');

/** From the top down: a layer imports the layers below it. */
const layers = [
  'bin',
  'http',
  ['handlers', 'site'],
  'jobs',
  'queue',
  ['db', 'providers', 'packages/forensics', 'packages/webhook-tools'],
  'core',
  'generated',
];

/** By room: the rooms of the same layer that it may import. Files directly in a layer's folder belong to no room: see `shared`. */
const rooms = {
  bin: {
    service: [],
    admin: ['service'],
  },
  'bin/admin': {
    cli: [],
    ...Object.fromEntries(
      [
        ...['access', 'application', 'console', 'doctor', 'forensics', 'privacy'],
        ...['property', 'report', 'tenant', 'upkeep', 'verification', 'webhook', 'work'],
      ].map((noun) => [noun, ['cli']]),
    ),
  },
  http: {
    edge: [],
    operators: ['edge'],
    backoffice: ['edge'],
    api: ['edge'],
    pages: ['api', 'edge'],
  },
  jobs: {
    webhooks: [],
    // The home of a person shows what their documents say.
    invitations: ['documents'],
    documents: ['webhooks'],
    identity: ['documents', 'webhooks'],
    banking: ['documents'],
    reports: ['banking', 'documents'],
    privacy: ['documents', 'invitations'],
    upkeep: ['documents'],
    conditions: ['upkeep'],
    access: [],
    console: ['access'],
    members: ['access'],
    properties: [],
  },
  db: {
    migrations: [],
    connection: ['migrations'],
    work: ['connection'],
    access: ['connection'],
    audit: ['connection'],
    properties: ['connection'],
    documents: ['connection', 'work'],
    identity: ['connection', 'work'],
    banking: ['connection', 'work'],
    reports: ['connection', 'work'],
    applications: ['access', 'connection', 'work'],
    webhooks: ['access', 'applications', 'audit', 'connection', 'work'],
    privacy: ['applications', 'banking', 'connection', 'documents', 'reports', 'webhooks'],
  },
  providers: {
    outbound: [],
    documents: ['outbound'],
    identity: ['documents', 'outbound'],
    mail: ['documents'],
    banking: ['outbound'],
    sandbox: ['banking', 'documents', 'identity'],
  },
  core: {
    addresses: [],
    conditions: [],
    reports: ['rules', 'texts'],
    rules: [],
    secrets: [],
    settings: ['addresses', 'secrets'],
    texts: [],
  },
  harness: {
    contract: [],
    process: [],
    database: ['process'],
    peers: ['contract', 'process'],
    browser: ['peers', 'process'],
    mocha: ['contract', 'database', 'process'],
    monitoring: [],
    plans: ['database'],
    service: ['browser', 'contract', 'database', 'mocha', 'peers', 'process'],
  },
  scripts: {
    clients: [],
    conditions: [],
    answers: [],
    incomes: [],
    faults: [],
    gate: [],
    kit: [],
    lint: ['gate'],
    mock: [],
    mutations: [],
    generate: ['mock'],
    prose: [],
    recipes: [],
    tour: [],
  },
  bench: {
    api: [],
    forensics: [],
    webhooks: [],
    jobs: ['webhooks'],
    growth: ['api', 'webhooks'],
    scale: ['api', 'growth', 'webhooks'],
    soak: [],
  },
};

/** Files directly in a layer's folder that each of its rooms may import, and the rooms that they may import themselves. */
const shared = {
  jobs: { files: ['runtime', 'check-address'], rooms: [] },
  core: {
    files: [
      'correlation',
      'errors',
      'html',
      'ids',
      'log',
      'party',
      'log-budget',
      'log-output',
      'lost-connections',
      'messages',
      'text',
      'time',
    ],
    rooms: [],
  },
  bench: { files: ['backends', 'databases', 'remote', 'result', 'run'], rooms: [] },
};

/** By room or file of the service: the npm packages that it may import. */
const packages = {
  'bin/admin': ['commander', 'string-width'],
  'bin/admin/cli': ['ajv', 'cli-progress'],
  'bin/admin/property': ['ajv'],
  'core/csv.ts': ['csv-parse'],
  http: ['express'],
  'http/backoffice': ['cookie'],
  'http/edge': ['@fastify/busboy', 'cookie'],
  'http/operators': ['prom-client'],
  'http/pages': ['cookie', 'qr'],
  'jobs/banking': ['pdfkit'],
  // Draws the watermark of pages that people look at.
  'jobs/documents': ['sharp'],
  'jobs/properties': ['ajv'],
  'jobs/access': ['@simplewebauthn/server'],
  'jobs/reports': ['asn1js', 'pdfkit', 'pkijs', 'qr', 'sharp'],
  'jobs/privacy': ['yazl'],
  db: ['knex'],
  'db/connection': ['better-sqlite3', 'pg'],
  queue: ['pg-boss'],
  'providers/banking': ['@badrap/valita', 'jsonwebtoken'],
  'providers/documents': ['@aws-sdk/client-s3', 'file-type'],
  'providers/identity': ['jose', 'openid-client', 'stripe'],
  'providers/mail': ['nodemailer', 'postal-mime'],
  'providers/outbound': ['proxy-from-env', 'undici'],
  'packages/forensics': Object.keys(forensics.dependencies).filter((name) => name !== 'node'),
  'packages/webhook-tools': Object.keys(webhookTools.dependencies),
  'core/addresses': ['ipaddr.js'],
  'core/contract.ts': ['ajv'],
  'core/log.ts': ['pino'],
  'core/log-output.ts': ['sonic-boom'],
  'core/schema.ts': ['ajv', 'ajv-formats'],
  'core/secrets': ['jsonwebtoken'],
  'core/settings': ['@badrap/valita', 'ipaddr.js'],
  'core/texts': ['intl-messageformat'],
  site: ['@scalar/fastify-api-reference', 'markdown-it', 'markdown-it-anchor', 'minisearch'],
};

/** The files that a package exports. */
const exportsOf = ({ name, exports }) =>
  Object.values(exports).map(
    (file) => `^packages/${name.split('/')[1]}/${file.slice(2).replaceAll('.', '[.]').replace('*', '[^/]+')}$`,
  );

const SERVICE = ['bin', 'http', 'handlers', 'jobs', 'queue', 'db', 'providers', 'core', 'site'];
const folders = (layer) => [layer].flat();
const within = (...names) => `^(${names.join('|')})/`;
const IN_SERVICE = `^((${SERVICE.join('|')})|packages/(forensics|webhook-tools)(?!/tests/))/`;

const upward = layers.map((layer, index) => ({
  name: `nothing-below-imports-${folders(layer).join('-or-').replaceAll('/', '-')}`,
  comment: `${folders(layer).join(', ')} may be imported only by the layers above.`,
  severity: 'error',
  from: { path: within(...layers.slice(index + 1).flatMap(folders), 'nothing') },
  to: { path: within(...folders(layer)) },
}));

const betweenRooms = Object.entries(rooms).flatMap(([layer, allowed]) =>
  Object.entries(allowed).map(([room, others]) => ({
    name: `${layer.replaceAll('/', '-')}-${room}-imports-${others.join('-') || 'no-other-room'}`,
    comment: `${layer}/${room} may import ${others.map((other) => `${layer}/${other}`).join(', ') || 'no other room of its layer'}.`,
    severity: 'error',
    from: { path: `^${layer}/${room}/` },
    to: {
      path: `^${layer}/`,
      pathNot: [...[room, ...others].map((name) => `^${layer}/${name}/`), ...filesShared(layer), '/node_modules/'],
    },
  })),
);

function filesShared(layer) {
  return (shared[layer]?.files ?? []).map((file) => `^${layer}/${file}[.]ts$`);
}

/** Without this, a room could reach any other through a shared file. */
const fromSharedFiles = Object.entries(shared).map(([layer, { rooms }]) => ({
  name: `shared-files-of-${layer}-import-${rooms.join('-') || 'no-room'}`,
  severity: 'error',
  from: { path: filesShared(layer).join('|') },
  to: {
    path: `^${layer}/`,
    pathNot: [...filesShared(layer), ...rooms.map((room) => `^${layer}/${room}/`), '/node_modules/'],
  },
}));

const inPackages = (...names) => `(^|/)node_modules/(@types/)?(${names.join('|').replaceAll('.', '[.]')})/`;
const listedPackages = [...new Set(Object.values(packages).flat())].sort();

const ofPackages = listedPackages.map((name) => ({
  name: `only-its-owners-import-${name}`,
  severity: 'error',
  from: {
    path: IN_SERVICE,
    pathNot: Object.keys(packages)
      .filter((owner) => packages[owner].includes(name))
      .map((owner) => `^${owner.replace('.', '[.]')}(/|$)`),
  },
  to: { path: inPackages(name) },
}));

/** Files directly in a folder of rooms compose the rooms, so no room of a layer without shared files may be left out of the table. */
const strangers = Object.entries(rooms).map(([layer, allowed]) => ({
  name: `every-room-of-${layer.replaceAll('/', '-')}-has-its-rules`,
  severity: 'error',
  from: { path: `^${layer}/[^/]+/`, pathNot: Object.keys(allowed).map((room) => `^${layer}/${room}/`) },
  to: { path: `^${layer}/` },
}));

module.exports = {
  forbidden: [
    ...upward,
    ...betweenRooms,
    ...strangers,
    ...fromSharedFiles,
    ...ofPackages,
    {
      name: 'an-imported-package-is-listed',
      severity: 'error',
      from: { path: IN_SERVICE },
      to: { path: '(^|/)node_modules/', pathNot: inPackages(...listedPackages) },
    },
    {
      name: 'only-the-connection-room-builds-a-knex',
      severity: 'error',
      from: { path: within(...SERVICE), pathNot: '^db/connection/' },
      to: { path: inPackages('knex'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-the-correlation-carries-contexts',
      comment:
        '`AsyncLocalStorage.bind` and `snapshot` keep memory until a full garbage collection: core/correlation.ts.',
      severity: 'error',
      from: { path: within(...SERVICE), pathNot: '^core/correlation[.]ts$' },
      to: { path: '^(node:)?async_hooks$' },
    },
    {
      name: 'only-the-connection-room-sees-the-drivers-connections',
      severity: 'error',
      from: { pathNot: '^db/connection/' },
      to: { path: '^db/connection/(connections|postgres|sqlite)[.]ts$' },
    },
    {
      name: 'db-providers-and-packages-are-strangers',
      severity: 'error',
      from: { path: '^(db|providers|packages/forensics|packages/webhook-tools)/', pathNot: '^packages/[^/]+/tests/' },
      to: { path: '^(db|providers|packages/forensics|packages/webhook-tools)/', pathNot: '^$1/' },
    },
    {
      name: 'the-queue-knows-no-kind-of-work',
      comment: 'It is a library: kinds of work are passed in. Of the database it sees connections and leases.',
      severity: 'error',
      from: { path: '^queue/' },
      to: { path: '^(db/(?!connection/|work/)|providers/|packages/)' },
    },
    {
      name: 'workers-send-instead-of-importing-each-other',
      severity: 'error',
      from: {
        path: '^jobs/[^/]+/(complete-kyc|complete-eid|fetch-bank|make-report|run-forensic|deliver-webhook|send-invite)[.]ts$',
      },
      to: {
        path: '^jobs/[^/]+/(complete-kyc|complete-eid|fetch-bank|make-report|run-forensic|deliver-webhook|send-invite)[.]ts$',
      },
    },
    {
      name: 'the-service-imports-no-tool-and-no-test',
      severity: 'error',
      from: { path: within(...SERVICE) },
      to: { path: within('bench', 'contract-tests', 'examples', 'harness', 'packages/forensics-corpus', 'scripts') },
    },
    {
      name: 'the-service-uses-the-exports-of-a-package',
      severity: 'error',
      from: { path: within(...SERVICE) },
      to: { path: '^packages/', pathNot: [forensics, webhookTools].flatMap(exportsOf) },
    },
    {
      name: 'the-harness-imports-no-tool-and-no-test',
      severity: 'error',
      from: { path: '^harness/' },
      // The list of receivers is data, which the harness replays.
      to: {
        path: within('bench', 'contract-tests', 'scripts', 'packages'),
        pathNot: '^packages/webhook-tools/receivers/receiver[.]',
      },
    },
    {
      name: 'tools-import-no-test',
      severity: 'error',
      from: { path: within('bench', 'scripts') },
      to: { path: within('contract-tests', 'packages/[^/]+/tests') },
    },
    {
      name: 'packages-import-nothing-of-the-service',
      severity: 'error',
      from: { path: '^packages/(forensics|webhook-tools)/', pathNot: '^packages/[^/]+/tests/' },
      to: {
        path: within(
          ...SERVICE,
          'generated',
          'harness',
          'bench',
          'scripts',
          'contract-tests',
          'packages/forensics-corpus',
        ),
      },
    },
    {
      name: 'packages-for-integrators-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/(client|webhooks|kyc-frame)/' },
      to: { pathNot: '^packages/$1/|(^|/)node_modules/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'the-corpus-imports-nothing-but-the-forensics',
      severity: 'error',
      from: { path: '^packages/forensics-corpus/', pathNot: '^packages/forensics-corpus/tests/' },
      to: { path: within(...SERVICE, 'generated', 'harness', 'bench', 'scripts', 'contract-tests') },
    },
    {
      name: 'handlers-and-the-site-are-strangers',
      severity: 'error',
      from: { path: '^handlers/' },
      to: { path: '^site/' },
    },
    {
      name: 'the-site-reads-the-contract-and-nothing-else-of-ours',
      severity: 'error',
      from: { path: '^site/' },
      to: { pathNot: '^((site|node_modules)/|core/contract[.]ts$)', dependencyTypesNot: ['core'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // Dredd itself provides the module `hooks` to its hook files.
    { name: 'nothing-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^hooks$' } },
    {
      name: 'no-development-dependency-in-the-service',
      severity: 'error',
      from: { path: IN_SERVICE },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Servers whose dependencies only the benches install, and programs that import what is generated beside them.
    exclude: { path: '^(bench/peers|examples/(clients|recipes|tracing)|packages/[^/]+/dist)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.cts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
