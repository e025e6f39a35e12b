import type { PayTerms } from './pay-terms.ts';

/** German. */
export const de: PayTerms = {
  gross: [
    'gesamt-?brutto(?:lohn|gehalt|entgelt|bezuge)?',
    'brutto-?(?:lohn|gehalt|verdienst|bezuge|entgelt)',
    'summe brutto',
    'brutto gesamt',
    'brutto-?summe',
  ],
  deductions: [
    'summe (?:der )?(?:gesetzlichen )?abzuge',
    'gesamtabzuge',
    'abzuge (?:gesamt|insgesamt)',
    String.raw`(?:steuer|sv-?)rechtl(?:iche|\.) abzuge`,
    '(?:summe )?gesetzliche abzuge',
    'summe (?:steuern?|sozialversicherung|sv)',
    'steuern gesamt',
  ],
  net: [
    'gesetzliches netto',
    'netto-?(?:verdienst|lohn|bezug|gehalt|bezuge|auszahlung|entgelt)',
    'auszahlungsbetrag',
    'auszahlung',
  ],
  paid: ['zahlbetrag', 'uberweisung(?:sbetrag)?', 'uberwiesen'],
};
