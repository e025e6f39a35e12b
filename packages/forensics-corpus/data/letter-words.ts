import type { Tag } from './locale.ts';

/** The wording of letters of employment and of tax assessments: titles, and sentences with `{name}`, `{firm}`, `{pay}`, `{day}`. */
export interface LetterWords {
  contract: string;
  letter: string;
  sentences: string[];
  assessment: string;
  authority: string;
  figures: string[];
}

export const letterWords: Record<Tag, LetterWords> = {
  de: {
    contract: 'Arbeitsvertrag',
    letter: 'Arbeitgeberbescheinigung',
    sentences: [
      'Zwischen {firm} und {name} gilt seit dem {day} ein unbefristetes Arbeitsverhältnis.',
      'Das monatliche Bruttogehalt beträgt {pay} und wird auf das Konto der Person überwiesen.',
      'Die Gehaltsabrechnung wird jeden Monat im Portal bereitgestellt. Die Probezeit ist beendet.',
    ],
    assessment: 'Bescheid für 2024 über Einkommensteuer und Solidaritätszuschlag',
    authority: 'Finanzamt Mitte',
    figures: ['Einkünfte aus nichtselbständiger Arbeit', 'Zu versteuerndes Einkommen', 'Festgesetzte Einkommensteuer'],
  },
  'en-GB': {
    contract: 'Contract of Employment',
    letter: 'Confirmation of Employment',
    sentences: [
      'We confirm that {name} has been employed by {firm} since {day} on a permanent basis.',
      'The gross salary is {pay} a month and is paid to a bank account by the end of each month.',
      'Payslips are issued monthly. The probation period has ended and no notice has been given.',
    ],
    assessment: 'Tax calculation 2024 to 2025 (SA302)',
    authority: 'HM Revenue & Customs',
    figures: ['Pay from all employments', 'Total income on which tax is due', 'Income tax due'],
  },
  'en-US': {
    contract: 'Employment Agreement',
    letter: 'Employment Verification Letter',
    sentences: [
      'To whom it may concern: {name} has been employed by {firm} since {day}, full time.',
      'The current gross salary is {pay} per month, deposited to a checking account.',
      'Please contact our payroll department for pay statements or further questions.',
    ],
    assessment: 'Tax Return Transcript 2024',
    authority: 'Internal Revenue Service',
    figures: ['Wages, salaries, tips', 'Taxable income', 'Total tax liability'],
  },
  es: {
    contract: 'Contrato de trabajo indefinido',
    letter: 'Certificado de empresa',
    sentences: [
      '{firm} certifica que {name} presta servicios en esta empresa desde el {day}.',
      'Su salario bruto mensual asciende a {pay}, que se abona por transferencia a su cuenta.',
      'La nómina se entrega cada mes. El contrato es indefinido y a jornada completa.',
    ],
    assessment: 'Impuesto sobre la Renta de las Personas Físicas. Declaración de la renta 2024',
    authority: 'Agencia Tributaria',
    figures: ['Rendimientos del trabajo', 'Base liquidable general', 'Cuota resultante'],
  },
  fr: {
    contract: 'Contrat de travail à durée indéterminée',
    letter: "Attestation de l'employeur",
    sentences: [
      '{firm} atteste que {name} est salarié de notre société depuis le {day}.',
      'Son salaire brut mensuel est de {pay}, versé par virement sur son compte.',
      "Un bulletin de paie est remis chaque mois. Aucune procédure de rupture n'est en cours.",
    ],
    assessment: "Avis d'impôt 2025 sur les revenus de l'année 2024",
    authority: 'Direction générale des Finances publiques',
    figures: ['Salaires', 'Revenu fiscal de référence', "Montant de l'impôt"],
  },
  it: {
    contract: 'Contratto di lavoro a tempo indeterminato',
    letter: 'Dichiarazione del datore di lavoro',
    sentences: [
      '{firm} dichiara che {name} è alle proprie dipendenze dal {day}.',
      'La retribuzione lorda mensile è di {pay}, accreditata sul conto corrente.',
      'La busta paga è consegnata ogni mese. Il periodo di prova è terminato.',
    ],
    assessment: 'Certificazione Unica 2025',
    authority: 'Agenzia delle Entrate',
    figures: ['Redditi di lavoro dipendente', 'Reddito imponibile', 'Imposta netta'],
  },
  nl: {
    contract: 'Arbeidsovereenkomst voor onbepaalde tijd',
    letter: 'Werkgeversverklaring',
    sentences: [
      '{firm} verklaart dat {name} sinds {day} bij ons in dienst is.',
      'Het bruto maandsalaris bedraagt {pay} en wordt op de rekening gestort.',
      'De loonstrook is elke maand beschikbaar. De proeftijd is verstreken.',
    ],
    assessment: 'Aanslag Inkomstenbelasting 2024',
    authority: 'Belastingdienst',
    figures: ['Inkomsten uit werk', 'Belastbaar inkomen', 'Vastgesteld bedrag'],
  },
  pl: {
    contract: 'Umowa o pracę na czas nieokreślony',
    letter: 'Zaświadczenie o zatrudnieniu i zarobkach',
    sentences: [
      '{firm} zaświadcza, że {name} jest zatrudniona w naszej firmie od {day}.',
      'Miesięczne wynagrodzenie wynosi {pay} i jest przekazywane na rachunek bankowy.',
      'Umowa nie została wypowiedziana. Okres próbny zakończył się.',
    ],
    assessment: 'PIT-37 Zeznanie o wysokości osiągniętego dochodu w roku 2024',
    authority: 'Urząd Skarbowy',
    figures: ['Należności ze stosunku pracy', 'Podstawa obliczenia podatku', 'Podatek należny'],
  },
  pt: {
    contract: 'Contrato de trabalho sem termo',
    letter: 'Declaração da entidade patronal',
    sentences: [
      '{firm} declara que {name} é seu trabalhador desde {day}.',
      'A remuneração ilíquida mensal é de {pay}, paga por transferência bancária.',
      'O recibo de vencimento é entregue todos os meses. O contrato está em vigor.',
    ],
    assessment: 'IRS - Demonstração de Liquidação 2024',
    authority: 'Autoridade Tributária e Aduaneira',
    figures: ['Rendimento global', 'Rendimento coletável', 'Imposto liquidado'],
  },
};
