/** Imports go one way: bin -> http -> { handlers | site } -> jobs -> { db | providers | forensics } -> core -> generated. */
const layers = ['bin', 'http', ['handlers', 'site'], 'jobs', ['db', 'providers', 'forensics'], 'core', 'generated'];

/** Makes documents to test and measure the engine with: beside the service, not in it. */
const CORPUS = '^forensics/corpus/';

const folders = (layer) => [layer].flat();
const pattern = (names) => `^(${names.join('|')})/`;

const upward = layers.map((layer, index) => ({
  name: `nothing-below-imports-${folders(layer).join('-or-')}`,
  comment: `${folders(layer).join(', ')} may be imported only by the layers above.`,
  severity: 'error',
  from: {
    path: pattern(
      layers
        .slice(index + 1)
        .flatMap(folders)
        .concat('nothing'),
    ),
  },
  to: { path: pattern(folders(layer)) },
}));

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'db-and-providers-are-strangers',
      severity: 'error',
      from: { path: '^(db|providers|forensics)/' },
      to: { path: '^(db|providers|forensics)/', pathNot: '^$1/' },
    },
    {
      name: 'workers-send-instead-of-importing-each-other',
      severity: 'error',
      from: { path: '^jobs/(complete-kyc|complete-eid|run-forensic|deliver-webhook|send-invite)[.]ts$' },
      to: { path: '^jobs/(complete-kyc|complete-eid|run-forensic|deliver-webhook|send-invite)[.]ts$' },
    },
    {
      name: 'the-service-does-not-import-its-tests-or-scripts',
      severity: 'error',
      from: { path: '^(bin|http|handlers|jobs|db|providers|forensics|core|site)/', pathNot: CORPUS },
      to: { path: '^(contract-tests|examples|scripts)/' },
    },
    {
      name: 'the-corpus-is-for-tests-and-measurements',
      severity: 'error',
      from: { path: '^(bin|http|handlers|jobs|db|providers|forensics|core|site)/', pathNot: CORPUS },
      to: { path: CORPUS },
    },
    {
      name: 'the-site-reads-the-contract-and-nothing-else-of-ours',
      severity: 'error',
      from: { path: '^site/' },
      to: { pathNot: '^(site|node_modules)/', dependencyTypesNot: ['core'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // Dredd itself provides the module `hooks` to its hook files.
    { name: 'nothing-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^hooks$' } },
    {
      name: 'no-development-dependency-in-the-service',
      severity: 'error',
      from: { path: '^(bin|http|handlers|jobs|db|providers|forensics|core|site)/', pathNot: CORPUS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.cts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
