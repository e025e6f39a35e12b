import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Drawing } from '../drawing.ts';
import { NotPossible } from '../pdf/retype.ts';
import type { Redistiller } from '../samples/stage.ts';
import { goFpdfProgram, typstOf } from './external-compiled.ts';
import { fpdfScript, reportlabScript } from './external-python.ts';
import { htmlOf } from './html.ts';
import { openDocumentOf } from './open-document-text.ts';
import type { Producer } from './producer.ts';

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

/** Builds the program once, in the parent folder, and runs it. */
const goFpdf = `set -e; dir=../corpus-go-fpdf
[ -x $dir/draw ] || { mkdir -p $dir; cat > $dir/main.go <<'END'
${goFpdfProgram}END
(cd $dir; [ -f go.mod ] || go mod init corpus; go get codeberg.org/go-pdf/fpdf@v0.12.0; go build -o draw .); }
$dir/draw`;

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
    command: ['sh', '-c', goFpdf],
  },
  {
    name: 'fpdf2',
    probe: [...python, 'import fpdf'],
    input: 'in.json',
    source: withoutPictures,
    command: [...python, fpdfScript],
  },
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

async function inFolder([file, ...rest]: [string, ...string[]], name: string, content: string | Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    await writeFile(join(folder, name), content);
    await run(file, rest, { cwd: folder, timeout: 60_000 }).catch((error: unknown) => {
      throw new NotPossible(`${file} refuses: ${error}`);
    });
    return new Uint8Array(await readFile(join(folder, 'out.pdf')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The scripts draw text and rectangles. */
function withoutPictures({ title, sheets }: Drawing): string {
  const plain = sheets.map((sheet) => ({ ...sheet, marks: sheet.marks.filter(({ kind }) => kind !== 'picture') }));
  return JSON.stringify({ title, sheets: plain });
}
