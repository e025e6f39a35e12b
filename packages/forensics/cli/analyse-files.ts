import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import type { EngineSettings, Preview, SubmittedDocument } from '../analysis.ts';
import { OUTCOME_ORDER } from '../report/wording.ts';
import type { Outcome } from '../result.ts';
import { expectContent, expectPagePlace, streamFile } from './files.ts';
import type { Host, Output } from './host.ts';
import { reportForTerminal, writePage } from './report-page.ts';

const EXPLANATION = `
PDF, JPEG and PNG files are analysed; all others are inconclusive. No database,
folder or key is used, nothing is sent, and the files are not changed. The page
holds pictures of the documents: protect it like them.

Outcomes:
  tampered      strong signs of a change were found
  suspicious    something does not fit, and may have a harmless reason
  inconclusive  it could not be checked: encrypted, damaged, pictures only
  no_finding    nothing was found, which does not prove that it is genuine

Exit codes: 0 analysed, whatever the outcome; 1 not done, or --fail-on applies;
2 not understood.`;

interface Options {
  html?: string;
  ocr: boolean;
  failOn?: Outcome;
}

/** Adds `analyse`: an analysis of local files. */
export function addAnalyseCommand(parent: Command, host: Host): void {
  parent
    .command('analyse')
    .description('look for signs of tampering in local files')
    .argument('<file...>', 'payslips, bank statements, identity documents: PDF, JPEG or PNG')
    .option('--html <file>', 'also write a page for a browser: the documents with marks where findings are')
    .option('--no-ocr', 'do not recognize text in pictures, which takes seconds per page')
    .addOption(
      new Option('--fail-on <outcome>', 'exit with 1 if a document has this outcome or a worse one').choices(
        OUTCOME_ORDER.filter((outcome) => outcome !== 'no_finding').toReversed(),
      ),
    )
    .addHelpText('after', EXPLANATION)
    .addHelpText(
      'after',
      host.example(
        'analyse ./payslip.pdf',
        'analyse ./*.pdf ./identity-card.jpg --html report.html',
        'analyse ./statement.pdf --json --fail-on suspicious',
      ),
    )
    .action(host.action((files: string[], options: Options) => analyseFiles(files, options, host)));
}

async function analyseFiles(typed: string[], { html, failOn, ocr }: Options, host: Host): Promise<Output> {
  const documents = await givenDocuments(typed, host);
  const page = html === undefined ? undefined : host.resolve(html);
  if (page !== undefined) await expectPagePlace(page);
  const settings = host.settings();
  const previews = new Map<string, Preview[]>();
  const analysis = await host.withProgress('Analysing', documents.length, (tick) =>
    runEngine(
      documents,
      { ...settings, ocr: settings.ocr !== false && ocr },
      page === undefined ? undefined : previews,
      tick,
    ),
  );
  if (page !== undefined) await writePage(page, analysis, previews);
  const text = reportForTerminal(analysis) + (page === undefined ? '' : `\n\nFor a browser: ${page}`);
  const fails = analysis.documents.some(({ outcome }) => isAsGraveAs(outcome, failOn));
  const { papers: _, ...json } = analysis;
  return { json, text, ...(fails ? { exitCode: 1 } : {}) };
}

function isAsGraveAs(outcome: Outcome, least: Outcome | undefined): boolean {
  return least !== undefined && OUTCOME_ORDER.indexOf(outcome) <= OUTCOME_ORDER.indexOf(least);
}

/** Each file once, in the order typed. @throws FileFault */
async function givenDocuments(typed: string[], host: Host): Promise<SubmittedDocument[]> {
  const files = [...new Map(typed.map((name) => [host.resolve(name), name]))];
  for (const [file] of files) await expectContent(file);
  return files.map(([file, name]) => ({ id: name, name: basename(file), read: () => streamFile(file) }));
}

async function runEngine(
  documents: SubmittedDocument[],
  settings: EngineSettings,
  previews: Map<string, Preview[]> | undefined,
  tick: (done: number) => void,
) {
  const { createForensicEngine } = await import('../analyse.ts');
  const engine = createForensicEngine(settings);
  let done = 0;
  try {
    return await engine.analyse(documents, {
      ...(previews ? { onPreviews: ({ id }, pages) => void previews.set(id, pages) } : {}),
      onExamined: () => tick(++done),
    });
  } finally {
    await engine.close();
  }
}
