import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** All code that processes input from callers, people, providers, operators or documents. */
const SOURCES = [
  '{core,db,handlers,http,jobs,providers,queue,bin}/**/*.ts',
  'packages/{forensics,webhook-tools}/**/*.ts',
];
const RECORDER = import.meta.resolve('./recorder.ts');

export interface Expression {
  /** The file and line where it stands. */
  place: string;
  pattern: RegExp;
}

interface Made {
  file: string;
  place: string;
  /** With `x` for parts only known at run time. */
  pattern: RegExp | undefined;
}

/** Every regular expression of the source: literals and those built from strings. */
export function everyExpression(): Expression[] {
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !/(^|\/)(tests|node_modules)\//.test(file));
  const literals: Expression[] = [];
  const made: Made[] = [];
  for (const file of files) {
    const text = readFileSync(`${ROOT}${file}`, 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      if (ts.isRegularExpressionLiteral(node)) literals.push({ place, pattern: fromLiteral(node.text) });
      if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp')
        made.push({ file, place, pattern: fromTexts(node) });
      node.forEachChild(visit);
    };
    visit(source);
  }
  return [
    ...literals,
    ...made.flatMap(({ place, pattern }) => (pattern ? [{ place, pattern }] : [])),
    ...recorded(made),
  ];
}

function fromLiteral(text: string): RegExp {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}

function fromTexts({
  arguments: [pattern, flags] = ts.factory.createNodeArray(),
}: ts.NewExpression): RegExp | undefined {
  const text = pattern && textOf(pattern);
  return text === undefined ? undefined : new RegExp(text, flags && ts.isStringLiteral(flags) ? flags.text : '');
}

function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  const template = ts.isTaggedTemplateExpression(node) ? node.template : node;
  if (!ts.isTemplateExpression(template)) return undefined;
  const isRaw = template !== node;
  const piece = ({ text, rawText }: ts.TemplateLiteralLikeNode) => (isRaw ? (rawText ?? text) : text);
  return piece(template.head) + template.templateSpans.map(({ literal }) => `x${piece(literal)}`).join('');
}

/** Those built when modules load, in full. */
function recorded(made: readonly Made[]): Expression[] {
  const files = [...new Set(made.map(({ file }) => file))].map((file) => `${ROOT}${file}`);
  const printed = execFileSync(process.execPath, ['--import', RECORDER, '-', ...files], {
    input: '',
    encoding: 'utf8',
    env: { ...process.env, RECORDED_FILES: JSON.stringify(files) },
  });
  const found: { source: string; flags: string }[] = JSON.parse(printed);
  return found.map(({ source, flags }) => ({ place: 'made when a module loads', pattern: new RegExp(source, flags) }));
}
