import type { Random } from '../random.ts';
import type { Tag } from './locale.ts';

export interface Person {
  given: string;
  family: string;
  street: string;
  city: string;
  born: Date;
}

interface Country {
  given: string;
  family: string;
  streets: string;
  cities: string;
  banks: string;
  employers: string;
  /** Common purchases. */
  spending: string;
  rent: string;
  salary: string;
}

const countries: Record<Tag, Country> = {
  de: {
    given: 'Anna|Jürgen|Lena|Matthias|Sophie|Karl|Jörg|Miriam|Tobias|Franziska',
    family: 'Müller|Schmidt|Weber|Krüger|Hoffmann|Schäfer|Köhler|Neumann|Zimmermann|Brandt',
    streets: 'Lindenstraße|Goethestraße|Am Bahnhof|Kirchweg|Schillerplatz',
    cities: '10115 Berlin|80331 München|20095 Hamburg|50667 Köln|70173 Stuttgart',
    banks: 'Sparkasse Mittelrhein|Volksbank Nordheide|Hansa Kreditbank AG|Landesbank Süd',
    employers: 'Nordlicht Logistik GmbH|Bergmann Maschinenbau AG|Klinikum am Park|Weber & Söhne KG',
    spending:
      'REWE Markt|EDEKA Center|Stadtwerke Abschlag|Telekom Rechnung|DB Vertrieb|Amazon EU|Apotheke am Markt|ADAC Beitrag|Tankstelle Aral|Rundfunkbeitrag',
    rent: 'Miete Hausverwaltung Krone',
    salary: 'Gehalt',
  },
  'en-GB': {
    given: 'Oliver|Amelia|Harry|Isla|George|Ava|Jack|Emily|Thomas|Grace',
    family: 'Smith|Jones|Taylor|Brown|Williams|Davies|Evans|Walker|Thompson|Wright',
    streets: 'High Street|Station Road|Church Lane|Victoria Road|Mill Lane',
    cities: 'London SE1 7PB|Leeds LS1 4DY|Bristol BS1 5TR|Manchester M2 3WQ|York YO1 7HH',
    banks: 'Albion Bank plc|Thames & Counties Bank|Northgate Building Society|Pennine Bank',
    employers: 'Harrow Retail Ltd|Kingsway Engineering plc|St Mary Hospital Trust|Brightwater Media Ltd',
    spending:
      'TESCO STORES|SAINSBURYS|THAMES WATER|BRITISH GAS DD|TFL TRAVEL|AMAZON UK|BOOTS|COUNCIL TAX DD|SHELL|TV LICENCE',
    rent: 'SO RENT MAPLE LETTINGS',
    salary: 'SALARY',
  },
  'en-US': {
    given: 'James|Mary|Robert|Linda|Michael|Susan|David|Karen|Daniel|Emma',
    family: 'Johnson|Miller|Davis|Garcia|Wilson|Anderson|Martinez|Clark|Lewis|Young',
    streets: 'Maple Ave|Oak Street|Washington Blvd|Lake Drive|2nd Street',
    cities: 'Austin, TX 78701|Columbus, OH 43215|Denver, CO 80202|Portland, OR 97205|Tampa, FL 33602',
    banks: 'First Prairie Bank|Harbor National Bank|Summit Credit Union|Lone Star Savings',
    employers: 'Redwood Software Inc|Midwest Freight LLC|Mercy Health System|Blue Ridge Foods Corp',
    spending:
      'WHOLE FOODS MKT|KROGER|CITY UTILITIES|VERIZON WIRELESS|SHELL OIL|AMAZON.COM|CVS PHARMACY|STATE FARM INS|UBER TRIP|NETFLIX.COM',
    rent: 'RENT PARKVIEW APTS',
    salary: 'PAYROLL',
  },
  es: {
    given: 'Lucía|Martín|Sofía|Álvaro|Carmen|Javier|Elena|Sergio|Marta|Iñigo',
    family: 'García López|Fernández Ruiz|Martínez Sanz|Gómez Peña|Núñez Vidal|Ortega Gil|Romero Díaz|Serrano Vega',
    streets: 'Calle Mayor|Avenida del Puerto|Calle Cervantes|Paseo de Gracia|Plaza Nueva',
    cities: '28013 Madrid|46001 Valencia|41001 Sevilla|08007 Barcelona|48001 Bilbao',
    banks: 'Banco Ibérico|Caja Levante|Banco del Duero|Caixa Marina',
    employers: 'Construcciones Alba S.A.|Hospital Santa Clara|Textiles Moreno S.L.|Transportes Ebro S.A.',
    spending:
      'MERCADONA|CARREFOUR|IBERDROLA RECIBO|MOVISTAR|REPSOL|AMAZON ES|FARMACIA CENTRAL|CANAL AGUA|RENFE|SEGURO HOGAR',
    rent: 'ALQUILER VIVIENDA',
    salary: 'NÓMINA',
  },
  fr: {
    given: 'Camille|Hélène|Julien|Léa|Antoine|Chloé|François|Manon|Théo|Inès',
    family: 'Martin|Bernard|Dubois|Lefèvre|Moreau|Girard|Mercier|Fontaine|Chevalier|Gauthier',
    streets: 'rue de la Paix|avenue Jean Jaurès|rue Victor Hugo|place du Marché|rue des Écoles',
    cities: '75002 PARIS|69003 LYON|31000 TOULOUSE|33000 BORDEAUX|44000 NANTES',
    banks: 'Crédit Rhodanien|Banque de Loire|Caisse du Midi|Société Financière Atlantique',
    employers: 'Ateliers Renard SAS|Clinique Saint-Jean|Transports Vasseur SA|Éditions du Lac SARL',
    spending:
      'CARTE CARREFOUR|CARTE MONOPRIX|PRLV EDF|PRLV ORANGE|CARTE SNCF|CARTE AMAZON|CARTE PHARMACIE|PRLV ASSURANCE MAIF|CARTE TOTAL|PRLV EAU',
    rent: 'VIR LOYER FONCIA',
    salary: 'VIR SALAIRE',
  },
  it: {
    given: 'Giulia|Luca|Martina|Marco|Chiara|Andrea|Francesca|Matteo|Elisa|Paolo',
    family: 'Rossi|Ferrari|Esposito|Bianchi|Romano|Colombo|Ricci|Marino|Greco|Conti',
    streets: 'Via Roma|Corso Garibaldi|Via Dante|Piazza Verdi|Viale Europa',
    cities: '00184 Roma|20121 Milano|10121 Torino|50122 Firenze|80133 Napoli',
    banks: 'Banca Lombarda del Lago|Credito Emiliano Nord|Cassa Adriatica|Banca Tirrena',
    employers: 'Officine Marchetti S.p.A.|Ospedale San Luca|Trasporti Alpi S.r.l.|Ceramiche Po S.r.l.',
    spending:
      'ESSELUNGA|COOP|ENEL ENERGIA|TIM FATTURA|TRENITALIA|AMAZON IT|FARMACIA COMUNALE|ENI STATION|ACQUEDOTTO|POLIZZA AUTO',
    rent: 'AFFITTO IMMOBILIARE ROSA',
    salary: 'STIPENDIO',
  },
  nl: {
    given: 'Daan|Emma|Sem|Julia|Lucas|Sanne|Bram|Lotte|Thijs|Eva',
    family: 'de Jong|Jansen|Bakker|Visser|Smit|Meijer|Mulder|Dekker|van Dijk|Hendriks',
    streets: 'Dorpsstraat|Stationsweg|Kerkstraat|Molenweg|Beatrixlaan',
    cities: '1012 AB Amsterdam|3011 AD Rotterdam|3511 CE Utrecht|5611 AA Eindhoven|9711 LM Groningen',
    banks: 'Waterland Bank|Polderbank N.V.|Maas Spaarbank|Noordzee Bank',
    employers: 'Tulp Logistiek B.V.|Ziekenhuis De Linde|Van Vliet Bouw B.V.|Delta Software N.V.',
    spending: 'ALBERT HEIJN|JUMBO|VATTENFALL|KPN|NS REIZIGERS|BOL.COM|ETOS|VITENS WATER|SHELL|ZILVEREN KRUIS',
    rent: 'HUUR WONINGBEHEER',
    salary: 'SALARIS',
  },
  pl: {
    given: 'Zofia|Jakub|Małgorzata|Łukasz|Agnieszka|Paweł|Katarzyna|Michał|Joanna|Tomasz',
    family: 'Nowak|Kowalska|Wiśniewski|Wójcik|Kamiński|Zieliński|Szymańska|Dąbrowski|Kozłowski|Mazur',
    streets: 'ul. Długa|ul. Kościuszki|al. Niepodległości|ul. Świętojańska|ul. Polna',
    cities: '00-001 Warszawa|30-001 Kraków|80-001 Gdańsk|50-001 Wrocław|60-001 Poznań',
    banks: 'Bank Wiślany S.A.|Bank Bałtycki|Kasa Mazowiecka|Bank Śląska Ziemia',
    employers: 'Zakłady Żuraw Sp. z o.o.|Szpital Miejski|Transport Odra S.A.|Wydawnictwo Łąka',
    spending: 'BIEDRONKA|LIDL|PGE ENERGIA|ORANGE POLSKA|PKP INTERCITY|ALLEGRO|APTEKA|ORLEN|WODOCIĄGI|PZU SKŁADKA',
    rent: 'CZYNSZ ZARZĄD',
    salary: 'WYNAGRODZENIE',
  },
  pt: {
    given: 'Inês|João|Beatriz|Tiago|Mariana|Gonçalo|Ana|Rui|Catarina|Pedro',
    family: 'Silva|Santos|Ferreira|Pereira|Oliveira|Costa|Rodrigues|Marques|Araújo|Magalhães',
    streets: 'Rua Augusta|Avenida da Liberdade|Rua do Carmo|Largo da Sé|Rua das Flores',
    cities: '1100-053 Lisboa|4000-322 Porto|3000-213 Coimbra|8000-076 Faro|4700-320 Braga',
    banks: 'Banco do Tejo|Caixa Atlântica|Banco Minho|Crédito Lusitano',
    employers: 'Cortiças Amorosa Lda.|Hospital da Luz Nova|Transportes Douro S.A.|Conservas Mar Lda.',
    spending: 'PINGO DOCE|CONTINENTE|EDP COMERCIAL|MEO|CP COMBOIOS|WORTEN|FARMÁCIA CENTRAL|GALP|ÁGUAS|SEGURO AUTO',
    rent: 'RENDA IMOBILIÁRIA',
    salary: 'ORDENADO',
  },
};

export function personOf(tag: Tag, random: Random): Person {
  const { given, family, streets, cities } = countries[tag];
  const street = random.pick(streets.split('|'));
  const number = random.integer(1, 180);
  return {
    given: random.pick(given.split('|')),
    family: random.pick(family.split('|')),
    street: ['en-GB', 'en-US', 'fr'].includes(tag) ? `${number} ${street}` : `${street} ${number}`,
    city: random.pick(cities.split('|')),
    born: new Date(Date.UTC(random.integer(1955, 2004), random.integer(0, 11), random.integer(1, 28))),
  };
}

export function bankOf(tag: Tag, random: Random): string {
  return random.pick(countries[tag].banks.split('|'));
}

export function employerOf(tag: Tag, random: Random): string {
  return random.pick(countries[tag].employers.split('|'));
}

export function spendingOf(tag: Tag): { shops: string[]; rent: string; salary: string } {
  const { spending, rent, salary } = countries[tag];
  return { shops: spending.split('|'), rent, salary };
}
