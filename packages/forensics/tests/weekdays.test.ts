import { expect } from 'chai';
import { weekdays } from '../rules/content/weekdays.ts';
import { documentOf, writtenText } from './fixtures/written-pages.ts';

async function found(...texts: string[]) {
  const verdict = await weekdays.run(documentOf(writtenText(...texts)));
  return verdict.status === 'finding' ? verdict.findings : [];
}

describe('weekdays beside dates', () => {
  it('are found where the calendar has another one, in eight languages', async () => {
    const wrong = [
      'Monday 12 March 2025',
      'Monday, March 12, 2025',
      'Montag, den 12.03.2025',
      'Mo., 12.03.2025',
      'lunes, 12 de marzo de 2025',
      'lundi 12 mars 2025',
      'lunedì 12 marzo 2025',
      'maandag 12 maart 2025',
      'segunda-feira, 12 de março de 2025',
      '12.03.2025 (Montag)',
      'wtorek, 12.03.2025',
      'martes 12.03.2025',
      'martes 12 de marzo de 2025',
      'mardi 12 mars 2025',
    ];
    for (const text of wrong) {
      const [finding] = await found('Pay statement', text);
      expect(finding?.evidence[0], text).to.include({ before: 'Wednesday', after: text });
    }
  });

  it('are none where they fit by any reading, or where a word or a day without a year is no weekday of it', async () => {
    const fitting = [
      'Wednesday 12 March 2025',
      'Mittwoch, den 12.03.2025',
      'Mi 12.03.25',
      'Wednesday 03/12/2025',
      'Friday 03/12/2021',
      'mar. 11/03/2025',
      'do 13-03-2025',
      'Do, 13.03.2025',
      'dim. 16/03/2025',
      'Montag 12.03.',
      'monthly 12.03.2025',
      'Zahlung am 12.03.2025',
      'Order do: 12.03.2025',
      'Sankt Montag-Verein 12.03.2025',
      'Transports Vasseur SA 12/03/2025',
      'Milano MI 12/03/2025',
      'CARTE RESTAURANT LA MER 13/03/2025',
      'Frau Freitag 12.03.2025',
      'Name: Freitag 12.03.1990',
    ];
    for (const text of fitting) expect(await found('Pay statement', text), text).to.deep.equal([]);
  });

  it('are for people only in text read from a picture', async () => {
    const pages = writtenText('Statement of the bank for Mrs Erika Muster, Musterstadt', 'Monday 12 March 2025');
    const verdict = await weekdays.run(documentOf(pages, { kind: 'jpeg', isRead: true }));
    expect(verdict.status === 'finding' && verdict.findings[0]?.strength).to.equal('context');
  });
});
