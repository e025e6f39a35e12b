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
  /** With their rates in per cent. */
  insurance: readonly (readonly [string, number])[];
  refunds: readonly string[];
  taken: readonly string[];
  /** Code, description, number, rate, amount, payments, deductions. */
  headings: readonly [string, string, string, string, string, string, string];
  year: readonly string[];
  taxable: readonly [string, string];
  total: string;
}

export const mixedTerms = {
  germany: {
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
      ['Krankenversicherung', 8.15],
      ['Pflegeversicherung', 1.8],
      ['Rentenversicherung', 9.3],
      ['Arbeitslosenvers.', 1.3],
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
      ['Sécurité sociale plafonnée', 6.9],
      ['Sécurité sociale déplafonnée', 0.4],
      ['Complémentaire tranche 1', 4.01],
      ['CSG déductible', 6.68],
      ['CSG/CRDS non déductible', 2.85],
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
    thousands: ',',
    decimal: '.',
    gross: ['Total Gross Pay', 'Gross Pay', 'Total Payments', 'Total Pay', 'Gross for Period'],
    deductions: ['Total Deductions', 'Deductions Total', 'TOTAL DEDUCTIONS'],
    net: ['Net Pay', 'NET PAY', 'Net Payment', 'Net Pay This Period', 'Take Home Pay'],
    paid: ['Paid by BACS', 'Amount Paid'],
    earnings: ['Basic Salary', 'Overtime @1.5', 'Shift Allowance', 'Bonus', 'Holiday Pay'],
    tax: ['PAYE Tax', 'Student Loan'],
    insurance: [
      ['National Insurance', 8],
      ['Pension (EE)', 5],
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
      ['Contingencias comunes', 4.7],
      ['MEI', 0.13],
      ['Desempleo', 1.55],
      ['Formación profesional', 0.1],
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
    thousands: '.',
    decimal: ',',
    gross: ['TOTALE COMPETENZE', 'Tot. Competenze', 'Totale lordo', 'TOTALE COMPETENZE LORDE'],
    deductions: ['TOTALE TRATTENUTE', 'Totale ritenute', 'Tot. Trattenute', 'TOTALE RITENUTE'],
    net: ['NETTO DEL MESE', 'NETTO IN BUSTA', 'Netto da pagare', 'NETTO A PAGARE', 'NETTO BUSTA'],
    paid: ['Bonifico'],
    earnings: ['Paga base', 'Contingenza', 'Straordinario 25%', 'Scatti anzianità', 'Premio'],
    tax: ['Ritenute IRPEF', 'Addizionale regionale', 'Addizionale comunale'],
    insurance: [
      ['Contributo INPS', 9.19],
      ['Contributo FIS', 0.27],
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
