/** A number that a state assigns to a person, with the words that label it. */
export interface NationalId {
  /** As a caseworker knows it. */
  name: string;
  /** In folded text. */
  label: RegExp;
  /** As written; case and separators matter. */
  form: RegExp;
  /** Company numbers of the same form. */
  company?: RegExp;
  /** One validator must accept it. Loaded only when a number is found, because loading all takes a fifth of a second. */
  validators: readonly (() => Promise<Validator>)[];
}

interface Validator {
  validate(value: string): { isValid: boolean; error?: Error };
}

/** Only numbers that always have check digits, unlike the Danish CPR, which has been issued without them since 2007. */
export const NATIONAL_IDS: readonly NationalId[] = [
  {
    name: 'Spanish DNI, NIE or NIF',
    label: /\b(?:dni|nif|nie|cif|d\.n\.i|n\.i\.f|n\.i\.e|c\.i\.f)\b/,
    form: /[XYZ]?\d{7,8}-?[A-Z]|[A-HJNPQRSUVW]\d{7}[0-9A-J]/,
    company: /^[A-HJNPQRSUVW]/,
    validators: [
      () => import('stdnum/lib/cjs/es/dni.js'),
      () => import('stdnum/lib/cjs/es/nie.js'),
      () => import('stdnum/lib/cjs/es/nif.js'),
      () => import('stdnum/lib/cjs/es/cif.js'),
    ],
  },
  {
    name: 'Spanish social security number',
    label:
      /\b(?:n(?:o|um(?:ero)?)?\.? ?(?:de )?(?:afiliacion(?: (?:a la )?(?:s\.? ?s\.?|seguridad social))?|seg(?:uridad|\.) social|s\.? ?s\.?)|nuss|naf|nss)/,
    form: /\d{2}[ /-]?\d{8}[ /-]?\d{2}/,
    validators: [() => import('stdnum/lib/cjs/es/nss.js')],
  },
  {
    name: 'Portuguese NIF',
    label: /\b(?:nif|n\.i\.f|(?:no? ?\.? ?)?contribuinte)\b/,
    form: /[1235689]\d{2} ?\d{3} ?\d{3}/,
    company: /^[5689]/,
    validators: [() => import('stdnum/lib/cjs/pt/nif.js')],
  },
  {
    name: 'Belgian national number',
    label: /\b(?:niss|insz|rijksregister(?:nummer|nr)?|registre national|nationaal nummer|numero national)\b/,
    form: /\d{2}\.\d{2}\.\d{2}-\d{3}[.-]\d{2}/,
    validators: [() => import('stdnum/lib/cjs/be/nn.js'), () => import('stdnum/lib/cjs/be/bis.js')],
  },
  {
    name: 'Italian codice fiscale',
    label: /\b(?:codice fiscale|cod\. ?fisc(?:ale)?|c\.f\.|cf:)/,
    form: /[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]/,
    validators: [() => import('stdnum/lib/cjs/it/codicefiscale.js')],
  },
  {
    name: 'Polish PESEL',
    label: /\bpesel\b/,
    form: /\d{11}/,
    validators: [() => import('stdnum/lib/cjs/pl/pesel.js')],
  },
  {
    name: 'Dutch BSN',
    label: /\b(?:bsn|burgerservicenummer|sofi-?(?:nummer|nr))\b/,
    form: /\d{9}|\d{4}\.\d{2}\.\d{3}/,
    validators: [() => import('stdnum/lib/cjs/nl/bsn.js')],
  },
  {
    name: 'German tax number (IdNr)',
    label:
      /\b(?:steuer-?(?:id|identifikationsn(?:umme)?r)|steuerliche identifikationsn(?:umme)?r|idnr|id-nr|steuer-id-nr|identifikationsnummer)\b/,
    form: /[1-9]\d ?\d{3} ?\d{3} ?\d{3}/,
    validators: [() => import('stdnum/lib/cjs/de/idnr.js')],
  },
  {
    name: 'German insurance number',
    label: /\b(?:sv|rv|rentenversicherungs|sozialversicherungs|versicherungs)-?(?:nr|nummer)\b/,
    form: /\d{2} ?\d{6} ?[A-Z] ?\d{3}/,
    validators: [() => import('stdnum/lib/cjs/de/svnr.js')],
  },
  {
    name: 'French social security number',
    label:
      /\b(?:n(?:o|umero)? ?\.? ?(?:de )?(?:ss|securite sociale|secu)|nir|securite sociale|immatriculation|n\.? ?s\.?s\.?)\b/,
    form: /[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/,
    validators: [() => import('stdnum/lib/cjs/fr/nir.js')],
  },
  {
    name: 'Swiss AHV number',
    label: /\b(?:ahv|avs|svn)\b/,
    form: /756\.?\d{4}\.?\d{4}\.?\d{2}/,
    validators: [() => import('stdnum/lib/cjs/ch/ssn.js')],
  },
  {
    name: 'Austrian insurance number',
    label: /\b(?:sv-?n(?:umme)?r|svnr|versicherungsn(?:umme)?r|sozialversicherungsn(?:umme)?r)\b/,
    form: /[1-9]\d{3}[ /]\d{6}/,
    validators: [() => import('stdnum/lib/cjs/at/vnr.js')],
  },
  {
    name: 'Brazilian CPF',
    label: /\bcpf\b/,
    form: /\d{3}\.\d{3}\.\d{3}-\d{2}/,
    validators: [() => import('stdnum/lib/cjs/br/cpf.js')],
  },
  {
    name: 'Swedish personal number',
    label: /\b(?:personnummer|personnr|pers\.?nr)\b/,
    form: /(?:19|20)?\d{6}[-+]\d{4}/,
    validators: [() => import('stdnum/lib/cjs/se/personnummer.js')],
  },
  {
    name: 'Norwegian birth number',
    label: /\b(?:fodselsnummer|fodselsnr|personnummer)\b/,
    form: /[0-3]\d{5} ?\d{5}/,
    validators: [() => import('stdnum/lib/cjs/no/fodselsnummer.js')],
  },
  {
    name: 'Romanian CNP',
    label: /\bcnp\b/,
    form: /[1-8]\d{12}/,
    validators: [() => import('stdnum/lib/cjs/ro/cnp.js')],
  },
  {
    name: 'Croatian OIB',
    label: /\boib\b/,
    form: /\d{11}/,
    validators: [() => import('stdnum/lib/cjs/hr/oib.js')],
  },
  {
    name: 'Irish PPS number',
    label: /\bpps(?:n| ?no| ?number)?\b/,
    form: /\d{7}[A-W][A-IW]?/,
    validators: [() => import('stdnum/lib/cjs/ie/pps.js')],
  },
];
