import { identityLines } from '../data/identity.ts';
import type { Drawing } from '../drawing.ts';
import { drawIdentity } from '../layouts/identities.ts';
import { drawPayslip, type payslipLayouts } from '../layouts/payslips.ts';
import { drawStatement, type statementLayouts } from '../layouts/statements.ts';
import { portrait } from '../pictures/portrait.ts';
import type { Producer } from '../producers/producer.ts';
import type { Random } from '../random.ts';
import type { Applicant } from './applicant.ts';

export interface SetFile {
  name: string;
  bytes: Uint8Array;
}

export interface Looks {
  payslip: (typeof payslipLayouts)[number];
  statement: (typeof statementLayouts)[number];
  producer: Producer;
}

/** Writes the set as files, each kind of document in one layout, as one employer and one bank would. */
export async function writtenSet(set: Applicant, looks: Looks, random: Random): Promise<SetFile[]> {
  const { producer } = looks;
  const write = async (name: string, drawing: Drawing, at: Date) => ({
    name,
    bytes: await producer.write(drawing, at, random.fork(name)),
  });
  const files: SetFile[] = [];
  for (const [index, payslip] of set.payslips.entries())
    files.push(
      await write(
        `payslip-${index + 1}.pdf`,
        drawPayslip(payslip, looks.payslip, random.fork('payslip')),
        payslip.payday,
      ),
    );
  for (const [index, statement] of set.statements.entries())
    files.push(
      await write(
        `statement-${index + 1}.pdf`,
        drawStatement(statement, looks.statement, random.fork('statement')),
        statement.to,
      ),
    );
  if (producer.pictures) {
    const identity = { ...set.identity, mrz: identityLines(set.identity) };
    files.push(await write('identity.pdf', drawIdentity(identity, await portrait(random)), set.identity.issued));
  }
  return files;
}
