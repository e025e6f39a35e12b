// Preloaded by npm's scripts, on any Node that the machine has: says in one line what a TypeError about a file extension would hide. npm
// skips `prestart` and the script that installs Node with ignore-scripts=true; pnpm and Yarn install another layout.
import { existsSync } from 'node:fs';

const MIN_NODE = 24;

/** Files that other package managers leave behind. */
const OTHERS = {
  pnpm: ['node_modules/.modules.yaml'],
  Yarn: ['node_modules/.yarn-integrity', 'node_modules/.yarn-state.yml', '.pnp.cjs'],
};

const fault = faultOfInstallation();
if (fault !== undefined) {
  console.error(fault);
  process.exit(1);
}

function faultOfInstallation() {
  const [other] = Object.entries(OTHERS).find(([, files]) => files.some((file) => existsSync(file))) ?? [];
  if (other)
    return `The dependencies were installed by ${other}, but this project needs npm: run "npm ci", and then this again.`;
  if (!existsSync('node_modules')) return 'The dependencies are not installed: run "npm ci", and then this again.';
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= MIN_NODE) return undefined;
  const install = existsSync('node_modules/.bin/node')
    ? 'start with npm, which uses the Node of the dependencies'
    : 'npm ran without install scripts (ignore-scripts) and so without Node: run "npm rebuild node --ignore-scripts=false"';
  return `Node ${node} is too old, Node ${MIN_NODE} is needed: ${install}, or use Node ${MIN_NODE} of your own.`;
}
