import { expect } from 'chai';
import { coveredText } from '../rules/pdf/covered-text.ts';
import { findingsOn, messagesOn, payslip, rowAt } from './fixtures/payslip.ts';
import {
  amount,
  corners,
  flatPicture,
  type Objects,
  pageObject,
  pdfOf,
  picture,
  rectangle,
  stream,
  text,
} from './fixtures/pdf.ts';
import { pictureOf } from './fixtures/pictures.ts';

const net = rowAt(7);
const patch = rectangle(455, net - 10, 50, 14);

function found(content: string, objects: Objects = {}) {
  return findingsOn(coveredText, pdfOf([content], objects));
}

async function strengthsOf(content: string, objects: Objects = {}): Promise<string[]> {
  return (await found(content, objects)).map(({ strength }) => strength);
}

/** A picture in varied greys. */
function noise(): string {
  const grey = Uint8Array.from({ length: 200 }, (_, index) => (index * 37) % 256);
  const about = '/Type /XObject /Subtype /Image /Width 20 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray';
  return stream(Buffer.from(grey).toString('latin1'), about);
}

/** Different rows on the payslip's own lines. */
function otherPage(): string {
  const rows = Array.from(
    { length: 8 },
    (_, row) => text(50, rowAt(row), 'Other words') + amount(500, rowAt(row), `1.${row}77,00`),
  );
  return rows.join('');
}

const GROUND = '1 1 1 rg 0 0 60 14 re f';
const shown = (words: string) => `BT 0 g /F1 10 Tf 16 4 Td (${words}) Tj ET`;

/** A page with annotations over the net pay, each of a kind, with what it draws in a box of 60 x 14 points and what it holds. */
function withAnnotations(...annotations: [kind: string, drawn: string, words?: string][]): Objects {
  const resources = '/Resources << /Font << /F1 10 0 R >> /XObject << /I1 15 0 R >> >>';
  const objects: Objects = {
    20: pageObject(0, `/Annots [${annotations.map((_, at) => `${60 + 2 * at} 0 R`).join(' ')}]`),
  };
  for (const [at, [kind, drawn, words = '']] of annotations.entries()) {
    const held = `/Contents (${words}) /V (${words}) /DA (/F1 10 Tf 0 g) ${kind === 'Widget' ? '/FT /Tx /T (field)' : ''}`;
    const place = `/F 4 /Rect ${corners(445, net - 10, 60, 14)}`;
    objects[60 + 2 * at] = `<< /Type /Annot /Subtype /${kind} ${place} ${held} /AP << /N ${61 + 2 * at} 0 R >> >>`;
    objects[61 + 2 * at] = stream(drawn, `/Type /XObject /Subtype /Form /BBox [0 0 60 14] ${resources}`);
  }
  return objects;
}

function annotated(kind: string, words: string): Objects {
  return withAnnotations([kind, `${GROUND} ${shown(words)}`, words]);
}

/** The first annotation, twice as high as a line. */
function signature(): Objects {
  return {
    60: `<< /Type /Annot /Subtype /Stamp /F 4 /Rect ${corners(420, net - 14, 90, 30)} /AP << /N 61 0 R >> >>`,
  };
}

describe('covered text', () => {
  it('reports the value written over another one, and the one below', async () => {
    const [finding, ...others] = await found(payslip() + patch + amount(500, net, '3.980,40'));
    expect(others).to.deep.equal([]);
    expect(finding?.strength).to.equal('strong');
    expect(finding?.message).to.equal(
      'The amount on page 1 reads 3.980,40, written over 2.180,40, which is still there below.',
    );
    const [place] = finding?.evidence ?? [];
    expect(place).to.include({ page: 1, before: '2.180,40', after: '3.980,40' });
    expect((place?.box?.x ?? 0) + (place?.box?.width ?? 0)).to.be.closeTo(500, 0.5);
  });

  it('detects a few characters replaced within a word', async () => {
    const some = rectangle(460.5, net - 10, 6, 14) + text(461.1, net, '8');
    const [finding] = await found(payslip() + some);
    expect(finding).to.include({ strength: 'strong' });
    expect(finding?.evidence[0]).to.include({ before: '2.180,40', after: '8.180,40' });
  });

  it('detects covers made of pictures, broad strokes, forms and text in another font and size', async () => {
    const retyped = amount(499, net + 1, '3.980,40', { font: 'F2', size: 11 });
    const y = 842 - net + 4;
    const covers: Record<string, string> = {
      picture: picture(455, net - 10, 50, 14),
      'freehand stroke': `q 1 1 1 RG 14 w 1 J 455 ${y} m 470 ${y + 3} 485 ${y - 3} 490 ${y} c 505 ${y + 1} l S Q\n`,
      'stroke to and fro': `q 1 1 1 RG 6 w 455 ${y - 4} m 505 ${y - 2} l 455 ${y} l 505 ${y + 2} l 455 ${y + 4} l 505 ${y + 6} l S Q\n`,
      'almost opaque': `q /Faint gs ${patch} Q\n`,
      stroke: `q 1 1 1 RG 14 w 455 ${842 - net + 4} m 505 ${842 - net + 4} l S Q\n`,
      shape: `q 1 1 1 rg 455 ${842 - net - 4} m 505 ${842 - net - 4} l 505 ${842 - net + 10} l 455 ${842 - net + 10} l f Q\n`,
    };
    for (const [name, cover] of Object.entries(covers)) {
      expect(await strengthsOf(payslip() + cover + retyped), name).to.deep.equal(['strong']);
    }
  });

  it('detects a whole table painted over and rewritten', async () => {
    const rows = ['4.250,00', '220,00', '512,16', '366,50', '402,25', '62,25', '86,44', '3.180,40'];
    const again = rows.map((value, row) => amount(500, rowAt(row), value)).join('');
    const [finding] = await found(payslip() + rectangle(400, 125, 120, 170) + again);
    expect(finding).to.include({ strength: 'strong' });
  });

  it('detects a whole page painted over and rewritten except one value', async () => {
    const again = rectangle(0, 0, 595, 842) + payslip({ net: '3.180,40' });
    const [finding, ...others] = await found(payslip() + again);
    expect(others).to.deep.equal([]);
    expect(finding).to.include({ strength: 'strong' });
    expect(finding?.evidence[0]).to.include({ before: '2.180,40', after: '3.180,40' });
  });

  it('does not treat text beside the hidden one as its replacement', async () => {
    const note = rectangle(45, net - 10, 250, 14) + text(104, net, 'see page 2');
    const findings = await found(payslip() + note);
    expect(findings.map(({ message }) => message)).to.deep.equal([
      '“Auszahlung” on page 1 is hidden by a rectangle that was painted over it.',
    ]);
    expect(findings[0]?.strength).to.equal('context');
  });

  it('detects text painted white below another one', async () => {
    const whitened = payslip().replace(/q {2}BT([^\n]*2\.180,40)/, 'q 1 1 1 rg BT$1');
    expect(whitened).to.not.equal(payslip());
    const [finding] = await found(whitened + amount(500, net, '3.980,40'));
    expect(finding).to.include({ strength: 'strong' });
    expect(finding?.evidence[0]).to.include({ before: '2.180,40', after: '3.980,40' });
  });

  it('detects a comment’s text box laid over a value', async () => {
    const [finding] = await found(payslip(), annotated('FreeText', '3.980,40'));
    expect(finding).to.include({ strength: 'strong' });
    expect(finding?.evidence[0]).to.include({ before: '2.180,40', after: '3.980,40' });
  });

  it('detects a value replaced with annotations of any kind, alone or one over another', async () => {
    const value = shown('3.980,40');
    const drawings: Record<string, Objects> = {
      ...Object.fromEntries(
        ['Stamp', 'Square', 'Ink', 'Redact', 'Watermark'].map((kind) => [kind, annotated(kind, '3.980,40')]),
      ),
      'a square and a text box': withAnnotations(['Square', GROUND], ['FreeText', value]),
      'a polygon and a stamp': withAnnotations(['Polygon', GROUND], ['Stamp', value]),
      'a freehand line and a text box': withAnnotations(
        ['Ink', '1 1 1 RG 14 w 1 J 0 7 m 20 8 l 40 6 l 60 7 l S'],
        ['FreeText', value],
      ),
    };
    for (const [title, objects] of Object.entries(drawings)) {
      const [finding, ...others] = await found(payslip(), objects);
      expect(others, title).to.deep.equal([]);
      expect(finding?.strength, title).to.equal('strong');
      expect(finding?.evidence[0], title).to.include({ before: '2.180,40', after: '3.980,40' });
    }
    expect(await strengthsOf(payslip() + patch, withAnnotations(['FreeText', value])), 'on the page').to.deep.equal([
      'strong',
    ]);
  });

  it('finds a value suspicious below a white annotation or a picture of its size in a stamp', async () => {
    expect(await strengthsOf(payslip(), withAnnotations(['Square', GROUND]))).to.deep.equal(['medium']);
    const drawn = withAnnotations(['Stamp', 'q 60 0 0 14 0 0 cm /I1 Do Q']);
    expect(await strengthsOf(payslip(), { ...drawn, 15: noise() })).to.deep.equal(['medium']);
  });

  it('finds a figure over another one suspicious if a shading or letters in the colour of the page lie between', async () => {
    const again = amount(500, net, '3.980,40');
    const shading = `q 455 ${842 - net - 4} 50 14 re W n /Grey sh Q\n`;
    const letters = text(453, net + 6, 'MM', { size: 30, state: '1 1 1 rg', font: 'F2' });
    for (const between of [shading, letters])
      expect(await strengthsOf(payslip() + between + again), between).to.deep.equal(['medium']);
    expect(await strengthsOf(payslip() + again), 'nothing between').to.deep.equal([]);
    expect(await strengthsOf(payslip() + shading), 'nothing written').to.deep.equal([]);
  });

  it('ignores sample text that never showed: white on white in every field, in brackets, or zeros', async () => {
    const white = (words: string, y: number) => `q 1 1 1 rg ${text(300, y, words)} Q\n`;
    const field = (sample: string, value: string, y: number) => white(sample, y) + text(300, y, value);
    for (const [sample, values] of [
      ['Name', ['Muster', '2.764,18', 'Berlin']],
      ['0,00', ['2.764,18', '890,00']],
      ['(optional)', ['Weber']],
      ['auswählen', ['Ledig', 'Berlin']],
      ['Choose', ['Single']],
    ] as const) {
      const fields = values.map((value, index) => field(sample, value, 500 + 30 * index)).join('');
      expect(
        (await found(payslip() + fields)).filter(({ strength }) => strength !== 'context'),
        sample,
      ).to.deep.equal([]);
    }
    expect(await strengthsOf(payslip() + field('1.764,18', '2.764,18', 500)), 'a former value').to.deep.equal([
      'strong',
    ]);
  });

  it('finds a value below a form field, a picture or a white rectangle suspicious', async () => {
    expect(await strengthsOf(payslip(), annotated('Widget', '3.980,40')), 'field').to.deep.equal(['medium']);
    expect(await strengthsOf(payslip() + picture(455, net - 10, 50, 14), { 15: noise() }), 'picture').to.deep.equal([
      'medium',
    ]);
    expect(await strengthsOf(payslip() + patch), 'rectangle').to.deep.equal(['medium']);
  });

  it('finds a value suspicious even if the picture over it leaves an edge uncovered', async () => {
    expect(await strengthsOf(payslip() + picture(462, net - 10, 43, 14), { 15: noise() })).to.deep.equal(['medium']);
  });

  it('reports a picture of another name over a name, but no logo over its own words', async () => {
    const page = payslip({ name: 'Erika Muster' }) + picture(49, 81, 60, 12);
    const over = async (words: string) => messagesOn(coveredText, pdfOf([page], { 15: await pictureOf(words) }));
    const [message, ...others] = await over('Eva Maier');
    expect(others).to.deep.equal([]);
    expect(message).to.match(
      /^“Erika Muster” on page 1 is hidden by a picture that was painted over it and in which OCR reads “Eva ?Maier/,
    );
    for (const alike of ['Erika Muster', 'Erika Müster', 'Erika Muste', 'Erika Mustar'])
      expect(await over(alike), alike).to.deep.equal([]);
    expect(await over('~')).to.deep.equal([]);
  });

  it('reports an account in groups of digits under a picture once', async () => {
    const page = payslip() + text(50, 420, 'DE12 5001 0517 0648 4898 90') + picture(48, 409, 150, 14);
    const [finding, ...others] = await found(page, { 15: noise() });
    expect(others).to.deep.equal([]);
    expect(finding?.evidence[0]).to.include({ before: 'DE12 5001 0517 0648 4898 90' });
  });

  it('finds a figure in a coloured box over another one suspicious at most', async () => {
    const box = rectangle(455, net - 10, 50, 14, '1 0.9 0.4');
    expect(await strengthsOf(payslip() + box + amount(500, net, '3.980,40'))).to.deep.equal(['medium']);
    const shade = rectangle(45, net - 12, 460, 18, '1 0.9 0.4');
    const halves = rectangle(45, net - 12, 435, 18, '1 0.9 0.4') + rectangle(480, net - 12, 40, 18, '1 0.9 0.4');
    const grounds = { shade, halves };
    for (const [title, ground] of Object.entries(grounds))
      expect(await strengthsOf(ground + payslip() + box + amount(500, net, '3.980,40')), title).to.deep.equal([
        'strong',
      ]);
    const grey = rectangle(45, net - 12, 460, 18, '0.94 0.94 0.94');
    expect(await strengthsOf(grey + payslip() + patch + amount(500, net, '3.980,40')), 'white on grey').to.deep.equal([
      'strong',
    ]);
    expect(await strengthsOf(payslip() + box), 'nothing written').to.deep.equal(['context']);
    const beneath = payslip() + box + patch + amount(500, net, '3.980,40');
    expect(await strengthsOf(beneath), 'a box that the cover hides').to.include('strong');
  });

  it('reads the picture over a name even after many over other words', async () => {
    const decoys = Array.from(
      { length: 20 },
      (_, at) => text(300, 400 + 15 * at, 'mm') + picture(298 + at, 391 + 15 * at, 20, 12),
    );
    const page = decoys.join('') + payslip({ name: 'Erika Muster' }) + picture(49, 81, 60, 12);
    const found = await messagesOn(coveredText, pdfOf([page], { 15: await pictureOf('Eva Maier') }));
    expect(found.join()).to.include('“Erika Muster”');
  });

  it('leaves blackened values to reviewers', async () => {
    const [finding, ...others] = await found(payslip() + rectangle(455, net - 10, 50, 14, '0 0 0'));
    expect(others).to.deep.equal([]);
    expect(finding).to.include({ strength: 'context' });
    expect(finding?.message).to.match(/blackened/);
  });

  describe('stays clean', () => {
    const shaded = Array.from({ length: 8 }, (_, row) => rectangle(45, rowAt(row) - 12, 460, 20, '0.9 0.9 0.95')).join(
      '',
    );
    const again = amount(500, net, '2.180,40');
    const clean: Record<string, [string, Objects?]> = {
      'when rows are shaded and the text comes after': [shaded + payslip()],
      'when the page has a white ground': [rectangle(0, 0, 595, 842) + payslip()],
      'when the same is written again': [payslip() + patch + again],
      'when a cover lets the text show': [`${payslip()}q /Half gs ${patch} Q${amount(500, net, '3.980,40')}`],
      'when a highlighter was used': [`${payslip()}q /Multiply gs ${rectangle(455, net - 10, 50, 14, '1 1 0')} Q`],
      'when a value is underlined': [payslip() + rectangle(455, net + 2, 50, 1, '0 0 0')],
      'when a ring is drawn around it': [
        `${payslip()}q 1 0 0 rg 450 ${842 - net - 6} 60 20 re 452 ${842 - net - 4} 56 16 re f* Q`,
      ],
      'when the cover is clipped away': [`${payslip()}q 0 0 10 10 re W n ${patch} Q`],
      'when a logo overlaps a line': [payslip() + picture(380, 40, 150, 90), { 15: noise() }],
      'when the text lies below a scan': [payslip() + picture(0, 0, 595, 842), { 15: noise() }],
      'when a watermark lies over it': [`${payslip()}q BT /F2 60 Tf 0.7 0.7 -0.7 0.7 150 300 Tm (COPY) Tj ET Q`],
      'when a stamp lies over it': [payslip(), annotated('Stamp', 'RECEIVED')],
      'when a stamp of its size with a date lies over it': [payslip(), annotated('Stamp', '12.03.2025')],
      'when a comment with a ground lies over it': [payslip(), annotated('FreeText', 'see below')],
      'when a comment stands beside a value': [
        payslip(),
        withAnnotations(['FreeText', `BT 0 g /F1 10 Tf 16 12 Td (3.980,40) Tj ET`]),
      ],
      'when a signature is larger than the value below it': [
        payslip(),
        { ...withAnnotations(['Stamp', 'q 60 0 0 14 0 0 cm /I1 Do Q']), 15: noise(), ...signature() },
      ],
      'when it is blackened with an annotation': [payslip(), withAnnotations(['Square', '0 0 0 rg 0 0 60 14 re f'])],
      'when a form field stands on dots': [payslip({ net: '..............' }), annotated('Widget', '3.980,40')],
      'when a long word runs into the next cell': [
        text(50, 500, 'Arbeitslosenversicherungsbeitrag') + rectangle(150, 490, 80, 14) + text(152, 500, '42,25'),
      ],
      'when the cells of a column cut off what runs into them': [
        Array.from({ length: 8 }, (_, row) => {
          const y = rowAt(row);
          const cell = rectangle(150, y - 12, 80, 20) + text(152, y, `Account ${'ABCDEFGH'[row]}`);
          return text(50, y, `Payment of rent to my landlord ${row}`) + cell;
        }).join(''),
      ],
      'when a layout paints one box after the other': [
        Array.from({ length: 8 }, (_, row) => {
          const box = rectangle(60 + 5 * row, rowAt(row) - 12, 80, 20, '0.9 0.9 1');
          const below = text(62 + 5 * row, rowAt(row), `Card ${row} of many`);
          return (
            below +
            box +
            text(64 + 5 * row, rowAt(row), `Gold card ${row}`) +
            text(300, rowAt(row), 'valid for one year')
          );
        }).join(''),
      ],
      'when a stamp with a coloured ground lies over it': [
        payslip() + rectangle(150, rowAt(3) - 12, 120, 16, '1 0.9 0.4') + text(152, rowAt(3), 'Received in May'),
      ],
      'when another page lies over it': [payslip() + rectangle(0, 0, 595, 842) + otherPage()],
      'when a header sticks to the top of a printed web page': [
        `${payslip() + rectangle(0, 120, 595, 60, '0.95 0.95 0.95')}${text(50, 150, 'My Bank', { size: 18 })}`,
      ],
    };
    for (const [title, [content, objects]] of Object.entries(clean)) {
      it(title, async () => {
        expect((await strengthsOf(content, objects)).filter((strength) => strength !== 'context')).to.deep.equal([]);
      });
    }

    it('when a picture is transparent where the text is', async () => {
      const mask = flatPicture(0);
      const objects = { 15: flatPicture(255, '/SMask 16 0 R'), 16: mask };
      expect(await strengthsOf(payslip() + picture(455, net - 10, 50, 14), objects)).to.deep.equal([]);
    });
  });
});
