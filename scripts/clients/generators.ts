import { readFileSync } from 'node:fs';

/** The stories, a folder each: `build.sh` generates and compiles, `run.sh` runs. */
export const STORIES = new URL('../../examples/clients/', import.meta.url);

export interface Generator {
  /** Its folder below `STORIES`. */
  story: string;
  /** The language of the generated client. */
  language: string;
  /** The generating package. */
  name: string;
  /** The programs needed to build and run; none for npm packages. */
  needs: readonly string[];
  /** Whether `requirements.txt` installs it. */
  fromPip: boolean;
}

const npm = { language: 'TypeScript', needs: [], fromPip: false };
const openapiGenerator = (story: string, language: string, ...needs: string[]): Generator => ({
  story,
  language,
  name: 'openapi-generator-cli',
  needs: ['python3', 'java', ...needs],
  fromPip: true,
});

export const generators: readonly Generator[] = [
  { story: 'hey-api', name: '@hey-api/openapi-ts', ...npm },
  { story: 'swagger-typescript-api', name: 'swagger-typescript-api', ...npm },
  {
    story: 'python-openapi-python-client',
    language: 'Python',
    name: 'openapi-python-client',
    needs: ['python3'],
    fromPip: true,
  },
  { story: 'go-oapi-codegen', language: 'Go', name: 'oapi-codegen', needs: ['go'], fromPip: false },
  openapiGenerator('typescript-fetch', 'TypeScript'),
  openapiGenerator('python-openapi-generator', 'Python'),
  openapiGenerator('go-openapi-generator', 'Go', 'go'),
  openapiGenerator('java', 'Java', 'javac', 'mvn'),
  openapiGenerator('kotlin', 'Kotlin', 'mvn'),
  openapiGenerator('rust', 'Rust', 'cargo'),
  openapiGenerator('php', 'PHP', 'php', 'composer'),
  openapiGenerator('ruby', 'Ruby', 'ruby', 'gem'),
];

/** The tested version, wherever it is pinned. */
export function versionOf({ story, name }: Generator): string {
  const pins = ['requirements.txt', `${story}/build.sh`, '../../scripts/clients/package.json'];
  const text = pins.map((pin) => readFileSync(new URL(pin, STORIES), 'utf8')).join('\n');
  return new RegExp(`${name}[^\\w\\n]*v?(\\d+\\.\\d+\\.\\d+)`).exec(text)?.[1] ?? '';
}
