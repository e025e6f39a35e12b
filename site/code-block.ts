import { createRequire } from 'node:module';
import { escapeHtml } from './html.ts';

interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

// Importing it would add browser types to the whole project.
const load = createRequire(import.meta.url);
const highlighter: Highlighter = load('highlight.js/lib/core');
for (const name of ['bash', 'go', 'http', 'javascript', 'json', 'php', 'python', 'typescript', 'xml', 'yaml'])
  highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));

const LABELS: Record<string, string> = {
  sh: 'Shell',
  bash: 'Shell',
  go: 'Go',
  http: 'HTTP',
  js: 'JavaScript',
  mjs: 'Node',
  javascript: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  py: 'Python',
  python: 'Python',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  html: 'HTML',
  yaml: 'YAML',
};

/** Highlighted code in a scrolling box; plain text for unknown languages. */
export function codeBlock(code: string, language: string): string {
  const text = code.trimEnd();
  const html = highlighter.getLanguage(language)
    ? highlighter.highlight(text, { language, ignoreIllegals: true }).value
    : escapeHtml(text);
  const label = LABELS[language] ?? 'Text';
  return `<div class="code"><div class="code-head">${label}</div><pre tabindex="0"><code>${html}</code></pre></div>\n`;
}
