import type { Tag } from './locale.ts';

/** The wording of bank statements, by language. */
export interface StatementWords {
  title: string;
  date: string;
  valueDate: string;
  text: string;
  debit: string;
  credit: string;
  amount: string;
  balance: string;
  opening: string;
  closing: string;
  carried: string;
  brought: string;
  totalDebit: string;
  totalCredit: string;
  holder: string;
  account: string;
  period: string;
  page: string;
  footer: string;
  pending: string;
  limit: string;
  savings: string;
  exchange: string;
}

const statementNames = [
  ...(['title', 'date', 'valueDate', 'text', 'debit', 'credit', 'amount', 'balance', 'opening', 'closing'] as const),
  ...(['carried', 'brought', 'totalDebit', 'totalCredit', 'holder', 'account', 'period', 'page', 'footer'] as const),
  ...(['pending', 'limit', 'savings', 'exchange'] as const),
];

const statementLines: Record<Tag, string> = {
  de: 'Kontoauszug|Datum|Wertstellung|Buchungstext|Soll|Haben|Betrag|Saldo|Alter Kontostand|Neuer Kontostand|Übertrag|Übertrag von Seite|Summe Soll|Summe Haben|Kontoinhaber|IBAN|Zeitraum|Seite|Bitte prüfen Sie den Auszug. Einwendungen sind innerhalb von sechs Wochen zu erheben.|Vorgemerkte Umsätze|Eingeräumte Kontoüberziehung|Tagesgeldkonto|Kurs',
  'en-GB':
    'Statement of account|Date|Value date|Details|Paid out|Paid in|Amount|Balance|Opening balance|Closing balance|Balance carried forward|Balance brought forward|Total paid out|Total paid in|Account name|IBAN|Period|Page|Please check this statement. The Financial Services Compensation Scheme protects your deposits.|Pending transactions|Arranged overdraft limit|Savings account|rate',
  'en-US':
    'Account Statement|Date|Posted|Description|Withdrawals|Deposits|Amount|Balance|Beginning balance|Ending balance|Balance carried forward|Balance brought forward|Total withdrawals|Total deposits|Account holder|Account number|Statement period|Page|In case of errors or questions about your electronic transfers call the number above. Member FDIC.|Pending transactions|Overdraft limit|Savings account|rate',
  es: 'Extracto de cuenta|Fecha|Fecha valor|Concepto|Cargos|Abonos|Importe|Saldo|Saldo inicial|Saldo final|Suma y sigue|Saldo anterior|Total cargos|Total abonos|Titular|IBAN|Periodo|Página|Compruebe este extracto. Las reclamaciones se presentan ante el servicio de atención al cliente.|Movimientos pendientes|Límite de descubierto|Cuenta de ahorro|cambio',
  fr: 'Relevé de compte|Date|Date de valeur|Libellé|Débit|Crédit|Montant|Solde|Solde initial|Solde final|Report|Report de la page|Total débit|Total crédit|Titulaire|IBAN|Période|Page|Sauf erreur ou omission. Toute réclamation doit être présentée dans un délai de deux mois.|Opérations à venir|Découvert autorisé|Livret|cours',
  it: 'Estratto conto|Data|Valuta|Descrizione|Dare|Avere|Importo|Saldo|Saldo iniziale|Saldo finale|Riporto|Riporto da pagina|Totale dare|Totale avere|Intestatario|IBAN|Periodo|Pagina|Verificare il presente estratto. Trascorsi sessanta giorni si intende approvato.|Movimenti non contabilizzati|Fido accordato|Conto deposito|cambio',
  nl: 'Rekeningafschrift|Datum|Valutadatum|Omschrijving|Af|Bij|Bedrag|Saldo|Beginsaldo|Eindsaldo|Transport|Transport van pagina|Totaal af|Totaal bij|Rekeninghouder|IBAN|Periode|Pagina|Controleer dit afschrift. Het depositogarantiestelsel is van toepassing.|Gereserveerde bedragen|Kredietlimiet|Spaarrekening|koers',
  pl: 'Wyciąg z rachunku|Data|Data waluty|Opis operacji|Obciążenia|Uznania|Kwota|Saldo|Saldo początkowe|Saldo końcowe|Do przeniesienia|Z przeniesienia|Suma obciążeń|Suma uznań|Posiadacz|IBAN|Okres|Strona|Wyciąg sporządzony elektronicznie nie wymaga podpisu ani stempla.|Blokady|Limit debetu|Rachunek oszczędnościowy|kurs',
  pt: 'Extrato de conta|Data|Data valor|Descrição|Débito|Crédito|Montante|Saldo|Saldo inicial|Saldo final|A transportar|Transporte|Total débito|Total crédito|Titular|IBAN|Período|Página|Confira este extrato. O fundo de garantia de depósitos aplica-se a esta conta.|Movimentos pendentes|Limite de descoberto|Conta poupança|câmbio',
};

/** The wording of payslips. */
export interface PayslipWords {
  title: string;
  month: string;
  employee: string;
  employer: string;
  number: string;
  taxClass: string;
  base: string;
  overtime: string;
  bonus: string;
  meals: string;
  gross: string;
  tax: string;
  pension: string;
  health: string;
  jobless: string;
  union: string;
  deductions: string;
  net: string;
  paid: string;
  item: string;
  amount: string;
  earnings: string;
  yearToDate: string;
  employerShare: string;
  born: string;
  basis: string;
  rate: string;
  expenses: string;
}

const payslipNames = [
  ...(['title', 'month', 'employee', 'employer', 'number', 'taxClass', 'base', 'overtime', 'bonus', 'meals'] as const),
  ...([
    'gross',
    'tax',
    'pension',
    'health',
    'jobless',
    'union',
    'deductions',
    'net',
    'paid',
    'item',
    'amount',
  ] as const),
  ...(['earnings', 'yearToDate', 'employerShare', 'born', 'basis', 'rate', 'expenses'] as const),
];

const payslipLines: Record<Tag, string> = {
  de: 'Entgeltabrechnung|Abrechnungsmonat|Arbeitnehmer|Arbeitgeber|Personalnummer|Steuerklasse|Grundgehalt|Überstunden|Prämie|Essenszuschuss|Gesamtbrutto|Lohnsteuer|Rentenversicherung|Krankenversicherung|Arbeitslosenversicherung|Pflegeversicherung|Summe Abzüge|Nettoverdienst|Auszahlungsbetrag|Bezeichnung|Betrag|Bezüge|Jahreswerte|Arbeitgeberanteil|Geburtsdatum|Bemessung|Satz|Reisekosten',
  'en-GB':
    'Payslip|Pay period|Employee|Employer|Payroll number|Tax code|Basic pay|Overtime|Bonus|Meal allowance|Total gross pay|PAYE tax|Pension|National Insurance|Student loan|Union dues|Total deductions|Net pay|Paid by BACS|Description|Amount|Payments|Year to date|Employer pension|Date of birth|Base|Rate|Expenses',
  'en-US':
    'Earnings Statement|Pay period|Employee|Employer|Employee ID|Filing status|Regular pay|Overtime|Bonus|Meal allowance|Gross pay|Federal income tax|401(k)|Medicare|Social Security|State income tax|Total deductions|Net pay|Direct deposit|Description|Amount|Earnings|Year to date|Employer 401(k)|Date of birth|Base|Rate|Expense reimbursement',
  es: 'Recibo de salarios|Periodo de liquidación|Trabajador|Empresa|Número de empleado|Grupo de cotización|Salario base|Horas extraordinarias|Incentivos|Plus comida|Total devengado|I.R.P.F.|Contingencias comunes|Formación profesional|Desempleo|Cuota sindical|Total a deducir|Líquido total a percibir|Transferencia|Concepto|Importe|Devengos|Acumulado anual|Aportación de la empresa|Fecha de nacimiento|Base|Tipo|Gastos de viaje',
  fr: 'Bulletin de paie|Période|Salarié|Employeur|Matricule|Coefficient|Salaire de base|Heures supplémentaires|Prime|Indemnité repas|Salaire brut|Impôt sur le revenu|Retraite|Santé|Chômage|CSG et CRDS|Total des cotisations|Net à payer|Virement|Rubrique|Montant|Rémunération|Cumul annuel|Part employeur|Date de naissance|Base|Taux|Frais professionnels',
  it: 'Busta paga|Periodo di paga|Dipendente|Azienda|Matricola|Livello|Retribuzione base|Straordinario|Premio|Indennità mensa|Totale competenze|IRPEF|Contributi INPS|Fondo sanitario|Addizionale regionale|Trattenuta sindacale|Totale trattenute|Netto in busta|Bonifico|Voce|Importo|Competenze|Progressivi annui|Contributo azienda|Data di nascita|Imponibile|Aliquota|Rimborso spese',
  nl: 'Loonstrook|Periode|Werknemer|Werkgever|Personeelsnummer|Loonheffingstabel|Basissalaris|Overwerk|Bonus|Maaltijdvergoeding|Brutoloon|Loonheffing|Pensioenpremie|Zorgverzekering|WGA-premie|Vakbond|Totaal inhoudingen|Nettoloon|Uitbetaald|Omschrijving|Bedrag|Betalingen|Cumulatief|Werkgeversdeel|Geboortedatum|Grondslag|Percentage|Reiskosten',
  pl: 'Lista płac|Okres|Pracownik|Pracodawca|Numer pracownika|Wymiar etatu|Wynagrodzenie zasadnicze|Nadgodziny|Premia|Dodatek|Razem brutto|Zaliczka na podatek|Składka emerytalna|Składka zdrowotna|Składka chorobowa|Składka rentowa|Razem potrącenia|Do wypłaty|Przelew|Składnik|Kwota|Składniki|Narastająco|Składki pracodawcy|Data urodzenia|Podstawa|Stawka|Delegacje',
  pt: 'Recibo de vencimento|Período|Trabalhador|Empresa|Número mecanográfico|Categoria|Vencimento base|Horas extra|Prémio|Subsídio de refeição|Total ilíquido|IRS|Segurança Social|Seguro de saúde|Fundo de compensação|Quota sindical|Total descontos|Valor líquido|Transferência|Descrição|Montante|Abonos|Acumulado|Encargos da empresa|Data de nascimento|Base|Taxa|Ajudas de custo',
};

export function statementWords(tag: Tag): StatementWords {
  return named(statementNames, statementLines[tag]);
}

export function payslipWords(tag: Tag): PayslipWords {
  return named(payslipNames, payslipLines[tag]);
}

function named<Name extends string>(names: readonly Name[], line: string): Record<Name, string> {
  const words = line.split('|');
  if (words.length !== names.length) throw new Error(`${words.length} words for ${names.length} names: ${line}`);
  const entries = names.map((name, index): [Name, string] => [name, words[index] ?? '']);
  return Object.fromEntries(entries) as Record<Name, string>;
}
