import { basename } from 'node:path';
import type { EngineSettings, Preview, SubmittedDocument } from '@tenant-screening/forensics/analysis';
import { OUTCOME_ORDER } from '@tenant-screening/forensics/report/words';
import type { Outcome } from '@tenant-screening/forensics/result';
import { type Command, Option } from 'commander';
import { ConfigError } from '../../../core/settings/config.ts';
import { readForensics } from '../../../core/settings/forensic-settings.ts';
import { withProgress } from '../cli/progress.ts';
import { expectContent, fileTyped, streamGivenFile } from '../cli/read-file.ts';
import { alone, example } from '../cli/run-command.ts';
import { pageFile, reportForTerminal, writePage } from './report.ts';

const EXPLANATION = `
PDF, JPEG and PNG are looked into; whatever else it is ends as inconclusive. No database, folder or key is used, nothing is
sent anywhere, and the files are not changed. The page holds pictures of the documents: keep it as you keep them.

Outcomes:
  tampered      strong signs of a change were found
  suspicious    something does not fit, and may have a harmless reason
  inconclusive  it could not be checked: encrypted, damaged, pictures only, too large
  no_finding    nothing was found, which does not show that the document is genuine

Exit codes: 0 analysed, whatever was found; 1 not done, or found what --fail-on names; 2 not understood.`;

interface Options {
  html?: string;
  ocr: boolean;
  failOn?: Outcome;
}

export function addAnalyseCommand(forensics: Command): void {
  forensics
    .command('analyse')
    .description('look for signs of tampering in files of this machine')
    .argument('<file...>', 'payslips, bank statements, identity documents: PDF, JPEG or PNG')
    .option('--html <file>', 'write a page for a browser as well: the documents with marks where findings are')
    .option('--no-ocr', 'do not read the text of pictures, which takes seconds a page')
    .addOption(
      new Option('--fail-on <outcome>', 'end with 1 if a document has this outcome or a graver one').choices(
        OUTCOME_ORDER.filter((outcome) => outcome !== 'no_finding').toReversed(),
      ),
    )
    .addHelpText('after', EXPLANATION)
    .addHelpText(
      'after',
      example(
        'forensics analyse ./payslip.pdf',
        'forensics analyse ./*.pdf ./identity-card.jpg --html report.html',
        'forensics analyse ./statement.pdf --json --fail-on suspicious',
      ),
    )
    .action(analyse);
}

const analyse = alone(async (files: string[], { html, failOn, ocr }: Options) => {
  const documents = await givenDocuments(files);
  const file = html === undefined ? undefined : await pageFile(html);
  const previews = new Map<string, Preview[]>();
  const analysis = await runEngine(documents, readSettings(ocr), file === undefined ? undefined : previews);
  if (file !== undefined) await writePage(file, analysis, previews);
  const text = reportForTerminal(analysis) + (file === undefined ? '' : `\n\nFor a browser: ${file}`);
  const fails = analysis.documents.some(({ outcome }) => isAsGraveAs(outcome, failOn));
  return { json: analysis, text, ...(fails ? { exitCode: 1 as const } : {}) };
});

function isAsGraveAs(outcome: Outcome, least: Outcome | undefined): boolean {
  return least !== undefined && OUTCOME_ORDER.indexOf(outcome) <= OUTCOME_ORDER.indexOf(least);
}

/** Each file once, in the order in which they were typed. @throws OperatorError when one cannot be read or holds nothing */
async function givenDocuments(typed: string[]): Promise<SubmittedDocument[]> {
  const files = [...new Map(typed.map((name) => [fileTyped(name), name]))];
  for (const [file] of files) await expectContent(file);
  return files.map(([file, name]) => ({ id: name, name: basename(file), read: () => streamGivenFile(file) }));
}

/** @throws ConfigError */
function readSettings(ocr: boolean): EngineSettings {
  const faults: string[] = [];
  const settings = readForensics(process.env, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return { ...settings, ocr: settings.ocr && ocr };
}

async function runEngine(
  documents: SubmittedDocument[],
  settings: EngineSettings,
  previews: Map<string, Preview[]> | undefined,
) {
  const { createForensicEngine } = await import('@tenant-screening/forensics/analyse');
  const engine = createForensicEngine(settings);
  let done = 0;
  try {
    return await withProgress('Analysing', documents.length, (tick) =>
      engine.analyse(documents, {
        ...(previews ? { onPreviews: ({ id }, pages) => void previews.set(id, pages) } : {}),
        onDocument: () => tick(++done),
      }),
    );
  } finally {
    await engine.close();
  }
}
