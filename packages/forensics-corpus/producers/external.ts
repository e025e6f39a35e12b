import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Drawing, leftOf } from '../drawing.ts';
import { NotPossible } from '../pdf/retype.ts';
import type { Redistiller } from '../samples/stage.ts';
import { fpdfScript, reportlabScript } from './external-python.ts';
import { htmlOf } from './html.ts';
import { openDocumentOf } from './open-document-text.ts';
import { fontFile, type Producer } from './producer.ts';
import { texOf } from './tex.ts';
import { typstOf } from './typst.ts';

/** Software that may be installed. Its output differs between versions, so no findings are required for it. */

const run = promisify(execFile);

interface Tool {
  name: string;
  /** A command that exits with 0 if the tool is installed. */
  probe: [string, ...string[]];
}

interface Writer extends Tool {
  input: string;
  source(drawing: Drawing): string;
  /** The command for files in a temporary folder; the output is `out.pdf`. */
  command: [string, ...string[]];
}

const python = ['python3', '-c'] as const;

const programs = fileURLToPath(new URL('programs', import.meta.url));

/** Builds a copy of the program of `programs/` once, in the parent folder, and runs it. */
function built(program: string, build: string, start: string): [string, ...string[]] {
  const prepare = `[ -e $dir/built ] || { rm -rf $dir; cp -R '${programs}/${program}' $dir; (cd $dir; ${build}; touch built); }`;
  return ['sh', '-c', `set -e; dir=../corpus-${program}; ${prepare}; ${start}`];
}

function java(main: string): [string, ...string[]] {
  const build = 'mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=classpath';
  return built('java', build, `java -cp "$dir/target/classes:$(cat $dir/classpath)" ${main}`);
}

function tex(program: string): Writer {
  return {
    name: program,
    probe: ['sh', '-c', `${program} --version && kpsewhich t1lmss.fd`],
    input: 'out.tex',
    source: texOf,
    command: [program, '-interaction=batchmode', '-halt-on-error', 'out.tex'],
  };
}

const writers: readonly Writer[] = [
  {
    name: 'libreoffice',
    probe: ['soffice', '--version'],
    input: 'out.fodt',
    source: openDocumentOf,
    command: [
      'soffice',
      '--headless',
      `-env:UserInstallation=${pathToFileURL(join(tmpdir(), 'corpus-libreoffice'))}`,
      '--convert-to',
      'pdf',
      'out.fodt',
    ],
  },
  {
    name: 'wkhtmltopdf',
    probe: ['wkhtmltopdf', '--version'],
    input: 'in.html',
    source: htmlOf,
    command: [
      'wkhtmltopdf',
      '-q',
      '-T',
      '0',
      '-B',
      '0',
      '-L',
      '0',
      '-R',
      '0',
      '--disable-smart-shrinking',
      'in.html',
      'out.pdf',
    ],
  },
  {
    name: 'weasyprint',
    probe: [...python, 'import weasyprint'],
    input: 'in.html',
    source: htmlOf,
    command: [...python, "import weasyprint; weasyprint.HTML('in.html').write_pdf('out.pdf')"],
  },
  {
    name: 'reportlab',
    probe: [...python, 'import reportlab'],
    input: 'in.json',
    source: withoutPictures,
    command: [...python, reportlabScript],
  },
  {
    name: 'typst',
    probe: [...python, 'import typst'],
    input: 'in.typ',
    source: typstOf,
    command: [...python, "import typst; typst.compile('in.typ', output='out.pdf')"],
  },
  {
    name: 'go-fpdf',
    probe: ['go', 'version'],
    input: 'in.json',
    source: withoutPictures,
    command: built('go', 'go get . && go build -o draw .', '$dir/draw'),
  },
  {
    name: 'fpdf2',
    probe: [...python, 'import fpdf'],
    input: 'in.json',
    source: withoutPictures,
    command: [...python, fpdfScript],
  },
  {
    name: 'pdfbox',
    probe: ['mvn', '--version'],
    input: 'in.json',
    source: withoutPictures,
    command: java('DrawPdfBox'),
  },
  {
    name: 'pdfbox-embedded',
    probe: ['mvn', '--version'],
    input: 'in.json',
    source: withFonts,
    command: java('DrawPdfBox'),
  },
  {
    name: 'openpdf',
    probe: ['mvn', '--version'],
    input: 'in.json',
    source: withoutPictures,
    command: java('DrawOpenPdf'),
  },
  {
    name: 'printpdf',
    probe: ['cargo', '--version'],
    input: 'in.json',
    source: leftAligned,
    command: built('rust', 'cargo build -q --release', '$dir/target/release/draw'),
  },
  {
    name: 'prawn',
    probe: ['ruby', '-e', "require 'prawn'"],
    input: 'in.json',
    source: withoutPictures,
    command: ['ruby', join(programs, 'ruby', 'draw.rb')],
  },
  tex('pdflatex'),
  tex('lualatex'),
];

interface Printer extends Tool {
  command: [string, ...string[]];
}

const printers: readonly Printer[] = [
  {
    name: 'ghostscript',
    probe: ['gs', '--version'],
    command: ['gs', '-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-sOutputFile=out.pdf', 'in.pdf'],
  },
  { name: 'cairo', probe: ['pdftocairo', '-v'], command: ['pdftocairo', '-pdf', 'in.pdf', 'out.pdf'] },
];

/** Producers installed on this machine. */
export async function externalProducers(): Promise<Producer[]> {
  return (await present(writers)).map(({ name, input, source, command }) => ({
    name,
    allLetters: false,
    pictures: source === htmlOf,
    deterministic: false,
    write: (drawing) => inFolder(command, input, source(drawing)),
  }));
}

export async function externalRedistillers(): Promise<Redistiller[]> {
  const here = await present(printers);
  return here.map(({ name, command }) => ({ name, write: (bytes) => inFolder(command, 'in.pdf', bytes) }));
}

async function present<T extends Tool>(tools: readonly T[]): Promise<T[]> {
  const there = await Promise.all(
    tools.map(({ probe: [file, ...rest] }) =>
      run(file, rest).then(
        () => true,
        () => false,
      ),
    ),
  );
  return tools.filter((_, index) => there[index]);
}

/** Some compile a library before their first file. */
const MAX_MS = 600_000;

async function inFolder([file, ...rest]: [string, ...string[]], name: string, content: string | Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    await writeFile(join(folder, name), content);
    await run(file, rest, { cwd: folder, timeout: MAX_MS }).catch((error: unknown) => {
      throw new NotPossible(`${file} refuses: ${error}`);
    });
    return new Uint8Array(await readFile(join(folder, 'out.pdf')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The programs draw text and rectangles. */
function withoutPictures(drawing: Drawing): string {
  return JSON.stringify(plain(drawing));
}

/** For programs that embed these fonts instead of the standard ones. */
function withFonts(drawing: Drawing): string {
  const fonts = { regular: fileURLToPath(fontFile('sans')), bold: fileURLToPath(fontFile('sans-bold')) };
  return JSON.stringify({ ...plain(drawing), fonts });
}

/** For programs that cannot measure text. */
function leftAligned(drawing: Drawing): string {
  const { title, sheets } = plain(drawing);
  const aligned = sheets.map(({ marks, ...sheet }) => ({
    ...sheet,
    marks: marks.map((mark) => (mark.kind === 'text' ? { ...mark, x: leftOf(mark), align: 'left' } : mark)),
  }));
  return JSON.stringify({ title, sheets: aligned });
}

function plain({ title, sheets }: Drawing): Pick<Drawing, 'title' | 'sheets'> {
  return {
    title,
    sheets: sheets.map((sheet) => ({ ...sheet, marks: sheet.marks.filter(({ kind }) => kind !== 'picture') })),
  };
}
