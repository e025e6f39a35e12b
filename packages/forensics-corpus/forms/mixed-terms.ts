/** Its name, the rate in per cent, and, in cents, what it is taken of: gross pay up to a ceiling, a share of it, or what exceeds a threshold. */
export interface Contribution {
  name: string;
  percent: number;
  ceiling?: number;
  share?: number;
  threshold?: number;
}

/** What one country's payroll programs call things. */
export interface MixedTerms {
  thousands: string;
  decimal: string;
  title: readonly string[];
  gross: readonly string[];
  deductions: readonly string[];
  net: readonly string[];
  paid: readonly string[];
  /** The first is always paid. */
  earnings: readonly [string, ...string[]];
  tax: readonly string[];
  insurance: readonly Contribution[];
  refunds: readonly string[];
  taken: readonly string[];
  /** Code, description, number, rate, amount, payments, deductions. */
  headings: readonly [string, string, string, string, string, string, string];
  year: readonly string[];
  taxable: readonly [string, string];
  total: string;
  /** Headings of figures of the month and of the year. */
  columns: readonly [string, string];
  /** What else the head says. */
  notes: readonly [string, string];
}

export const mixedTerms = {
  germany: {
    notes: ['St.Kl. 1', 'KV-Nr. liegt vor'],
    columns: ['Monat', 'Jahr aufgelaufen'],
    thousands: '.',
    decimal: ',',
    gross: [
      'Gesamtbrutto',
      'Bruttobezüge',
      'Gesamt-Brutto',
      'Bruttoentgelt',
      'Bruttoverdienst',
      'Summe Bruttobezüge',
      'Bruttolohn',
    ],
    deductions: ['Summe gesetzliche Abzüge', 'Gesetzliche Abzüge', 'Summe der Abzüge', 'Abzüge gesamt', 'Summe Abzüge'],
    net: ['Nettoverdienst', 'Gesetzliches Netto', 'Nettoentgelt', 'Nettolohn', 'Netto-Bezüge'],
    paid: ['Auszahlungsbetrag', 'Überweisungsbetrag', 'Auszahlung', 'Zahlbetrag'],
    earnings: ['Grundgehalt', 'Überstunden 25%', 'Leistungszulage', 'Schichtzulage', 'Urlaubsgeld'],
    tax: ['Lohnsteuer', 'Solidaritätszuschlag', 'Kirchensteuer'],
    insurance: [
      { name: 'Krankenversicherung', percent: 8.15, ceiling: 551_250 },
      { name: 'Pflegeversicherung', percent: 1.8, ceiling: 551_250 },
      { name: 'Rentenversicherung', percent: 9.3, ceiling: 805_000 },
      { name: 'Arbeitslosenvers.', percent: 1.3, ceiling: 805_000 },
    ],
    refunds: ['Fahrtkostenerstattung', 'Reisekosten steuerfrei'],
    taken: ['VWL-Sparrate', 'Vorschuss'],
    headings: ['Lohnart', 'Bezeichnung', 'Menge', 'Faktor', 'Betrag', 'Bezüge', 'Abzüge'],
    year: ['Jahressumme', 'kumuliert', 'aufgelaufen'],
    title: ['Entgeltabrechnung', 'Gehaltsabrechnung', 'Verdienstabrechnung'],
    taxable: ['Steuerbrutto', 'SV-Brutto'],
    total: 'Summe',
  },
  france: {
    notes: ['Emploi: Technicienne', 'Coefficient 190'],
    columns: ['Mois', 'Cumul annuel'],
    thousands: ' ',
    decimal: ',',
    gross: ['Salaire brut', 'TOTAL BRUT', 'Rémunération brute', 'BRUT DU MOIS', 'Salaire brut mensuel'],
    deductions: [
      'Total des cotisations et contributions',
      'Total des retenues',
      'TOTAL COTISATIONS',
      'Total cotisations salariales',
      'Total retenues salariales',
    ],
    net: ['Net à payer', 'NET PAYE', 'Net à payer au salarié', 'NET A PAYER', 'Net payé en euros'],
    paid: ['Virement', 'Montant viré'],
    earnings: [
      'Salaire de base',
      'Heures supplémentaires 25%',
      'Prime d’ancienneté',
      'Prime exceptionnelle',
      'Indemnité compensatrice',
    ],
    tax: ['Impôt prélevé à la source'],
    insurance: [
      { name: 'Sécurité sociale plafonnée', percent: 6.9, ceiling: 392_500 },
      { name: 'Sécurité sociale déplafonnée', percent: 0.4 },
      { name: 'Complémentaire tranche 1', percent: 4.01, ceiling: 392_500 },
      { name: 'CSG déductible', percent: 6.8, share: 98.25 },
      { name: 'CSG/CRDS non déductible', percent: 2.9, share: 98.25 },
    ],
    refunds: ['Remboursement transport', 'Frais professionnels'],
    taken: ['Titres-restaurant', 'Acompte'],
    headings: ['Code', 'Libellé', 'Base', 'Taux', 'Montant', 'Gains', 'Retenues'],
    year: ['Cumul annuel', 'Cumuls'],
    title: ['BULLETIN DE PAIE', 'BULLETIN DE SALAIRE'],
    taxable: ['Net imposable', 'Montant net social'],
    total: 'Totaux',
  },
  britain: {
    notes: ['NI Category: A', 'Tax Code 1257L'],
    columns: ['This Period', 'Year to Date'],
    thousands: ',',
    decimal: '.',
    gross: ['Total Gross Pay', 'Gross Pay', 'Total Payments', 'Total Pay', 'Gross for Period'],
    deductions: ['Total Deductions', 'Deductions Total', 'TOTAL DEDUCTIONS'],
    net: ['Net Pay', 'NET PAY', 'Net Payment', 'Net Pay This Period', 'Take Home Pay'],
    paid: ['Paid by BACS', 'Amount Paid'],
    earnings: ['Basic Salary', 'Overtime @1.5', 'Shift Allowance', 'Bonus', 'Holiday Pay'],
    tax: ['PAYE Tax', 'Student Loan'],
    insurance: [
      { name: 'National Insurance', percent: 8, threshold: 104_800 },
      { name: 'Pension (EE)', percent: 5 },
    ],
    refunds: ['Expenses Reimbursed', 'Mileage'],
    taken: ['Season Ticket Loan', 'Attachment of Earnings'],
    headings: ['Ref', 'Description', 'Units', 'Rate', 'Amount', 'Payments', 'Deductions'],
    year: ['Year to Date', 'YTD'],
    title: ['Payslip', 'Pay Advice'],
    taxable: ['Taxable Pay', 'NIable Pay'],
    total: 'Totals',
  },
  spain: {
    notes: ['Grupo cotiz. 5', 'Total días 30'],
    columns: ['Mes', 'Acumulado'],
    thousands: '.',
    decimal: ',',
    gross: ['A. TOTAL DEVENGADO', 'TOTAL DEVENGADO', 'Total devengos', 'T. DEVENGADO', 'Total haberes'],
    deductions: ['B. TOTAL A DEDUCIR', 'TOTAL DEDUCCIONES', 'T. A DEDUCIR', 'Total descuentos', 'TOTAL A DEDUCIR'],
    net: [
      'LIQUIDO TOTAL A PERCIBIR (A-B)',
      'LÍQUIDO A PERCIBIR',
      'TOTAL LIQUIDO',
      'Neto a percibir',
      'Importe líquido',
    ],
    paid: ['Transferencia', 'Importe transferencia'],
    earnings: ['Salario base', 'Plus convenio', 'Antigüedad', 'Horas extraordinarias', 'Prorrata pagas extra'],
    tax: ['Retención IRPF'],
    insurance: [
      { name: 'Contingencias comunes', percent: 4.7, ceiling: 490_950 },
      { name: 'MEI', percent: 0.13, ceiling: 490_950 },
      { name: 'Desempleo', percent: 1.55, ceiling: 490_950 },
      { name: 'Formación profesional', percent: 0.1, ceiling: 490_950 },
    ],
    refunds: ['Dietas', 'Kilometraje'],
    taken: ['Anticipo', 'Embargo'],
    headings: ['Cód.', 'Concepto', 'Cuantía', 'Precio', 'Importe', 'Devengos', 'Deducciones'],
    year: ['Acumulado año', 'Acumulado'],
    title: ['RECIBO INDIVIDUAL DE SALARIOS', 'NÓMINA'],
    taxable: ['Base IRPF', 'Base CC'],
    total: 'TOTALES',
  },
  italy: {
    notes: ['Livello 4', 'Ore 168'],
    columns: ['Mese', 'Progressivo'],
    thousands: '.',
    decimal: ',',
    gross: ['TOTALE COMPETENZE', 'Tot. Competenze', 'Totale lordo', 'TOTALE COMPETENZE LORDE'],
    deductions: ['TOTALE TRATTENUTE', 'Totale ritenute', 'Tot. Trattenute', 'TOTALE RITENUTE'],
    net: ['NETTO DEL MESE', 'NETTO IN BUSTA', 'Netto da pagare', 'NETTO A PAGARE', 'NETTO BUSTA'],
    paid: ['Bonifico'],
    earnings: ['Paga base', 'Contingenza', 'Straordinario 25%', 'Scatti anzianità', 'Premio'],
    tax: ['Ritenute IRPEF', 'Addizionale regionale', 'Addizionale comunale'],
    insurance: [
      { name: 'Contributo INPS', percent: 9.19 },
      { name: 'Contributo FIS', percent: 0.27 },
    ],
    refunds: ['Rimborso spese', 'Trattamento integrativo'],
    taken: ['Acconto', 'Cessione quinto'],
    headings: ['Cod.', 'Descrizione', 'Ore', 'Base', 'Importo', 'Competenze', 'Trattenute'],
    year: ['Progressivo', 'Progressivi annui'],
    title: ['BUSTA PAGA', 'CEDOLINO PAGA', 'LIBRO UNICO DEL LAVORO'],
    taxable: ['Imponibile fiscale', 'Imponibile INPS'],
    total: 'TOTALI',
  },
} as const satisfies Record<string, MixedTerms>;
