import type { ForensicEngine } from '@tenant-screening/forensics/analysis';
import { HANDED_IN, type HandedFile, handedFile } from '@tenant-screening/forensics-corpus/sets/handed-in.ts';
import { answersOn, type HandedIn, type UploadAnswer } from '../../core/rules/upload-answers.ts';
import { readWanted } from '../../core/rules/wanted-documents.ts';

/** Whether the answers about one file are right, and which they are. */
export interface JudgedAnswers {
  file: HandedFile;
  answers: UploadAnswer[];
  isRight: boolean;
}

const wanted = readWanted('identity, payslip:3:3, employment_letter, bank_statement:1:3, tax_assessment');

/** Hands a mixture of files in to the engine as one person, and judges the answers to each. @param numbers which files of the mixture */
export async function* judgedAnswers(
  engine: ForensicEngine,
  seed: string,
  numbers: readonly number[],
): AsyncGenerator<JudgedAnswers> {
  for (const number of numbers) {
    const file = await handedFile(seed, number);
    async function* read() {
      yield file.bytes;
    }
    const { obstacle, glance } = await engine.inspect({ id: '', name: file.name, read }, HANDED_IN, seed);
    if (obstacle) throw new Error(`${file.name} is ${obstacle}.`);
    const isPdf = file.bytes[0] === '%'.charCodeAt(0);
    const document = { id: '', type: file.says, sha256: '', media_type: isPdf ? 'application/pdf' : 'image/jpeg' };
    const answers = answersTo({ ...document, seen: glance });
    yield { file, answers, isRight: isRight(file, answers) };
  }
}

function answersTo(document: HandedIn): UploadAnswer[] {
  if (typeof wanted === 'string') throw new Error(wanted);
  return answersOn(document, [document], { wanted, today: HANDED_IN });
}

/** Every answer that must be given, none that must not, and with the right kind and pages. */
function isRight({ must, may, is, lost }: HandedFile, answers: readonly UploadAnswer[]): boolean {
  const given = answers.map(({ kind }) => kind);
  return (
    must.every((kind) => given.includes(kind)) &&
    given.every((kind) => must.includes(kind) || may.includes(kind)) &&
    answers.every((answer) => answer.kind !== 'look' || answer.look === is) &&
    answers.every((answer) => answer.kind !== 'pages' || lost.length === 0 || `${answer.missing}` === `${lost}`)
  );
}
