import type { Colour, Drawing, Face, Mark, Sheet } from '../drawing.ts';
import { escaped } from './html.ts';

const fonts = { sans: 'Liberation Sans', serif: 'Liberation Serif', mono: 'Liberation Mono' };

/** The drawing as a flat OpenDocument text, with each text in a frame at its position on the page. ODF 1.2 part 1. */
export function openDocumentOf({ title, sheets }: Drawing): string {
  const styles: string[] = [];
  const style = (family: string, inner: string) => {
    const name = `S${styles.length}`;
    styles.push(`<style:style style:name="${name}" style:family="${family}">${inner}</style:style>`);
    return name;
  };
  const pages = sheets.map((sheet, index) => page(sheet, index + 1, style));
  const [first] = sheets;
  const size = `fo:page-width="${first?.width}pt" fo:page-height="${first?.height}pt" fo:margin="0pt"`;
  const names = ['office', 'style', 'text', 'draw'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${{ draw: 'drawing' }[name] ?? name}:1.0"`,
  );
  const compatible = ['fo', 'svg'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${{ fo: 'xsl-fo' }[name] ?? name}-compatible:1.0"`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${[...names, ...compatible].join(' ')} xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><dc:title>${escaped(title)}</dc:title></office:meta>
<office:automatic-styles><style:page-layout style:name="P"><style:page-layout-properties ${size}/></style:page-layout>
<style:style style:name="Break" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>${styles.join('\n')}</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="P"/></office:master-styles>
<office:body><office:text>${pages.join('\n')}</office:text></office:body></office:document>`;
}

type Style = (family: string, inner: string) => string;

function page({ marks }: Sheet, number: number, style: Style): string {
  const frames = marks.map((mark) => frame(mark, number, style)).join('');
  return `${frames}<text:p${number > 1 ? ' text:style-name="Break"' : ''}/>`;
}

function frame(mark: Mark, number: number, style: Style): string {
  if (mark.kind === 'picture') return '';
  const place = `text:anchor-type="page" text:anchor-page-number="${number}"`;
  const position =
    'style:horizontal-pos="from-left" style:horizontal-rel="page" style:vertical-pos="from-top" style:vertical-rel="page"';
  if (mark.kind === 'rect') {
    const look = style(
      'graphic',
      `<style:graphic-properties draw:stroke="none" draw:fill="solid" draw:fill-color="${hex(mark.fill)}" ${position} style:run-through="background" style:wrap="run-through"/>`,
    );
    return `<draw:rect ${place} draw:style-name="${look}" svg:x="${mark.x}pt" svg:y="${mark.y}pt" svg:width="${mark.width}pt" svg:height="${mark.height}pt"/>`;
  }
  const width = 340;
  const left = mark.align === 'left' ? mark.x : mark.x - width;
  const look = style(
    'graphic',
    `<style:graphic-properties fo:padding="0pt" fo:border="none" draw:stroke="none" draw:fill="none" ${position} style:wrap="run-through" style:run-through="foreground"/>`,
  );
  const paragraph = style(
    'paragraph',
    `<style:paragraph-properties fo:text-align="${mark.align === 'left' ? 'start' : 'end'}"/><style:text-properties ${font(mark.face)} fo:font-size="${mark.size}pt" fo:color="${hex(mark.colour)}"/>`,
  );
  const text = escaped(mark.text).replace(/ {2,}/g, (spaces) => ` <text:s text:c="${spaces.length - 1}"/>`);
  return `<draw:frame ${place} draw:style-name="${look}" svg:x="${left}pt" svg:y="${mark.y - mark.size * 0.92}pt" svg:width="${width}pt" svg:height="${mark.size * 1.3}pt"><draw:text-box><text:p text:style-name="${paragraph}">${text}</text:p></draw:text-box></draw:frame>`;
}

function font(face: Face): string {
  const family = fonts[face.startsWith('sans') ? 'sans' : face.startsWith('serif') ? 'serif' : 'mono'];
  return `fo:font-family="'${family}'" fo:font-weight="${face.endsWith('bold') ? 'bold' : 'normal'}"`;
}

function hex(colour: Colour): string {
  return `#${colour
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
