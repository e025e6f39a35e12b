import { ValidationError } from '../errors.ts';

/** The longest name of a person, in characters. */
export const MAX_NAME_LENGTH = 200;

export type Mistake = 'no-name' | 'long-name' | 'unusable' | 'no-answer' | 'no-document' | 'no-outcome' | 'no-reason';

/** An unusable field in a page's form; the page explains it in the person's language. */
export class FormMistake extends ValidationError {
  readonly mistake: Mistake;

  constructor(mistake: Mistake) {
    super([], `The form was not accepted: ${mistake}.`);
    this.mistake = mistake;
  }
}
