import type { Look } from '../analysis.ts';

/** What each kind of document calls itself, in folded text: titles at the top of its first page. */
export const TITLES: Readonly<Record<Look, RegExp>> = {
  payslip: any(
    ...['pay ?slip', 'pay ?stub', 'pay (?:advice|statement)', '(?:wage|salary) slip', 'earnings statement'],
    ...['(?:lohn|gehalts?|entgelt|verdienst|bezuge)-?(?:abrechnung|bescheinigung|nachweis|zettel|mitteilung)'],
    ...['abrechnung der (?:brutto|bezuge)', 'brutto.{0,3}netto.{0,3}abrechnung', 'verguetungsabrechnung'],
    ...['nomina', 'hoja de salario', 'recibo (?:individual )?(?:justificativo|de (?:salarios?|vencimentos?|nomina))'],
    ...['bulletin de (?:paie|paye|salaire|remuneration)', 'fiche de (?:paie|paye|salaire)', 'full de salari'],
    ...['busta paga', 'cedolino', 'prospetto (?:di )?paga', 'libro unico del lavoro'],
    ...['(?:loon|salaris)(?:strook|specificatie)', 'lista plac', 'pasek (?:placowy|wynagrodzen)', 'odcinek placowy'],
    ...['lonespec', 'lonseddel'],
  ),
  bank_statement: any(
    ...['(?:konto|depot)auszug', 'rechnungsabschluss', 'umsatz(?:anzeige|liste|ubersicht)', 'finanzstatus'],
    ...['(?:bank|account|current account) statement', 'statement of accounts?', 'your statement', 'account summary'],
    ...['extractos? (?:de|bancario|mensual)', '(?:movimientos|extracto)(?: de (?:la |su )?)?cuenta', 'extracte'],
    ...['releve (?:de compte|bancaire|d.operations|mensuel)', 'extrait de compte', 'estratto (?:di )?conto'],
    ...['lista movimenti', '(?:rekening|bank)(?:afschrift|overzicht)', 'wyciag', 'historia (?:rachunku|operacji)'],
    ...['extratos? (?:de conta|bancario|combinado|integrado|mensal)', 'kontoutdrag'],
  ),
  identity: any(
    ...['passport', 'reisepass', 'pass(?:e|a)porte?', 'passaporto', 'paspoort', 'paszport', 'passaporte'],
    ...['identity card', 'identification card', 'personalausweis', 'documento nacional de identidad'],
    ...["carte nationale d'identite", "carta d'identita", 'identiteitskaart', 'dowod osobisty', 'cartao de cidadao'],
    ...['residence permit', 'aufenthaltstitel', 'titre de sejour', 'permiso de residencia', 'permesso di soggiorno'],
    ...['verblijfstitel', 'karta pobytu', 'titulo de residencia'],
  ),
  employment_letter: any(
    ...['(?:contract of employment|employment (?:contract|agreement|letter|verification|confirmation|reference))'],
    ...['(?:confirmation|verification|proof|certificate|letter) of employment', "employer'?s? (?:letter|reference)"],
    ...['(?:arbeits|anstellungs|dienst)vertrag', '(?:arbeitgeber|arbeits|beschaftigungs)bescheinigung'],
    ...['contrato (?:individual |indefinido )?(?:de )?trabajo', 'certificado (?:de (?:empresa|trabajo)|laboral)'],
    ...[
      'contracte de treball',
      "certificat d'empresa",
      'contrat (?:de travail|a duree (?:in)?determinee)',
      "attestation (?:de travail|d'emploi)",
    ],
    ...["attestation (?:de l')?employeur", 'contratto (?:individuale )?di lavoro', 'lettera di assunzione'],
    ...['(?:attestazione|certificato|dichiarazione) (?:di servizio|del datore di lavoro|di lavoro)'],
    ...['arbeids(?:overeenkomst|contract)', 'werkgeversverklaring', 'umowa o prace', 'zaswiadczenie o zatrudnieniu'],
    ...[
      'contrato (?:individual )?de trabalho',
      'declaracao (?:da entidade (?:patronal|empregadora)|de (?:trabalho|vinculo))',
    ],
  ),
  tax_assessment: any(
    ...['(?:einkommen)?steuerbescheid', 'bescheid fur 20\\d\\d uber', 'lohnsteuerbescheinigung'],
    ...['tax (?:assessment|calculation|year overview|return transcript)', 'notice of assessment', 'sa302', '\\bp60\\b'],
    ...[
      "avis d'imp(?:ot|osition)",
      'avis de situation declarative',
      'declaracion de la renta',
      'declaracio de la renda',
    ],
    ...['impuesto sobre la renta de las personas', 'certificado (?:tributario|resumen de (?:la )?declaracion)'],
    ...[
      'datos fiscales',
      'nota de (?:liquidacao|cobranca)',
      'demonstracao de liquidacao',
      'declaracao (?:de )?(?:irs|modelo 3)',
    ],
    ...[
      'certificazione unica',
      'modello (?:730|redditi)',
      'aanslag (?:inkomsten|20)',
      'belastingaanslag',
      'aangifte inkomsten',
    ],
    ...['zeznanie (?:podatkowe|o wysokosci)', '\\bpit-(?:11|36|37)\\b', 'zaswiadczenie o dochodach'],
  ),
};

/** Authorities that issue tax assessments, as their letterheads name them. */
export const TAX_AUTHORITY =
  /\b(?:finanzamt|hm revenue|internal revenue service|agencia (?:estatal de administracion )?tributaria|direction generale des finances publiques|agenzia delle entrate|belastingdienst|urzad skarbowy|autoridade tributaria)\b/;

function any(...titles: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}])(?:${titles.join('|')})`, 'u');
}
