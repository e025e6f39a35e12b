/** Programs that name themselves in pictures. */

export interface Editor {
  name: string;
  /**
   * Whether it is made to change what a picture shows, with brushes, layers and text. The others crop, brighten, convert or organise
   * pictures, and are used on genuine ones every day.
   */
  retouches: boolean;
}

/** Matched anywhere in the name that a program gives itself, ignoring case; the first match counts. */
const EDITORS: readonly (readonly [mark: string, name: string, retouches: boolean])[] = [
  ['photoshop lightroom', 'Adobe Lightroom', false],
  ['photoshop camera raw', 'Adobe Camera Raw', false],
  ['photoshop express', 'Adobe Photoshop Express', false],
  ['photoshop elements', 'Adobe Photoshop Elements', true],
  ['photoshop', 'Adobe Photoshop', true],
  ['illustrator', 'Adobe Illustrator', true],
  ['photopea', 'Photopea', true],
  ['gimp', 'GIMP', true],
  ['picsart', 'PicsArt', true],
  ['canva', 'Canva', true],
  ['affinity photo', 'Affinity Photo', true],
  ['affinity designer', 'Affinity Designer', true],
  ['pixelmator', 'Pixelmator', true],
  ['pixlr', 'Pixlr', true],
  ['krita', 'Krita', true],
  ['paint.net', 'Paint.NET', true],
  ['paintshop pro', 'PaintShop Pro', true],
  ['paint shop pro', 'PaintShop Pro', true],
  ['photoscape', 'PhotoScape', true],
  ['inkscape', 'Inkscape', true],
  ['coreldraw', 'CorelDRAW', true],
  ['corel photo-paint', 'Corel PHOTO-PAINT', true],
  ['acorn', 'Acorn', true],
  ['facetune', 'Facetune', true],
  ['meitu', 'Meitu', true],
  ['snapseed', 'Snapseed', false],
  ['lightroom', 'Adobe Lightroom', false],
  ['polarr', 'Polarr', false],
  ['vsco', 'VSCO', false],
  ['picasa', 'Picasa', false],
  ['irfanview', 'IrfanView', false],
  ['imagemagick', 'ImageMagick', false],
  ['graphicsmagick', 'GraphicsMagick', false],
  ['xnview', 'XnView', false],
  ['faststone', 'FastStone', false],
  ['digikam', 'digiKam', false],
  ['capture one', 'Capture One', false],
  ['darktable', 'darktable', false],
  ['gd-jpeg', 'a website (GD)', false],
];

/** Undefined for cameras, phones, scanners and anything else not in the list. */
export function editorNamed(program: string): Editor | undefined {
  const words = program.toLowerCase();
  const found = EDITORS.find(([mark]) => words.includes(mark));
  return found && { name: found[1], retouches: found[2] };
}
