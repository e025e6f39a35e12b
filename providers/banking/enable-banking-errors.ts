import { ProviderUnavailable } from '../../core/errors.ts';
import { answers, readAnswer } from './enable-banking-answers.ts';
import { ConsentEnded } from './port.ts';

/** Which error codes of Enable Banking mean what. A code that is not listed may pass: the caller retries. */

const ENDED = [
  'EXPIRED_SESSION',
  'CLOSED_SESSION',
  'REVOKED_SESSION',
  'SESSION_DOES_NOT_EXIST',
  'WRONG_SESSION_STATUS',
  'ACCOUNT_DOES_NOT_EXIST',
  'ASPSP_ACCOUNT_NOT_ACCESSIBLE',
  'ASPSP_PSU_ACTION_REQUIRED',
];
const NO_CODE = ['WRONG_AUTHORIZATION_CODE', 'EXPIRED_AUTHORIZATION_CODE', 'ALREADY_AUTHORIZED'];

/** The code of the redirect opens no session: it was used, or is too old. */
export class UnusableCode extends Error {}

/** The bank does not tell bookings of so long ago. */
export class PeriodRefused extends Error {}

/** @returns the error of a refusing answer. It names only the code, because messages may quote the request. */
export function refusalOf(status: number, body: string): Error {
  const code = codeIn(body);
  if (ENDED.includes(code)) return new ConsentEnded(`The consent has ended (${code}).`);
  if (NO_CODE.includes(code)) return new UnusableCode(`The code cannot be used (${code}).`);
  if (code === 'WRONG_TRANSACTIONS_PERIOD') return new PeriodRefused('The bank refused the period.');
  return new ProviderUnavailable(`Enable Banking answered ${status}${code === '' ? '' : ` ${code}`}.`);
}

function codeIn(body: string): string {
  try {
    const code = readAnswer(answers.refusal, body).error ?? '';
    return /^[A-Z_]{1,60}$/.test(code) ? code : '';
  } catch {
    return '';
  }
}
