import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { brandColours, contrast, grounds, readColour, TEXT_CONTRAST } from '../../core/rules/brand-colours.ts';
import { databases } from '../../harness/database/dialect.ts';
import { usualSeed } from '../properties/property.ts';

databases('sqlite');

/** The colours of text and of muted text, from the design tokens. */
const inks = { light: ['#12201b', '#4c5a54'], dark: ['#e8eeeb', '#a3b1ab'] } as const;

const hex = (value: number) => `#${value.toString(16).padStart(6, '0')}`;
const greys = Array.from({ length: 256 }, (_, level) => hex(level * 0x010101));
const extremes = [0, 255].flatMap((r) => [0, 255].flatMap((g) => [0, 255].map((b) => hex((r << 16) | (g << 8) | b))));

describe('a landlord’s colours', () => {
  it('measure contrast as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).to.equal(21);
    expect(contrast('#777777', '#ffffff')).to.be.closeTo(4.478, 0.001);
    expect(contrast('#ffff00', '#0000ff')).to.be.closeTo(8.002, 0.001);
  });

  it('are legible on every ground, in light and in dark, for any chosen colour', () => {
    for (const colour of [...greys, ...extremes]) expectLegible(colour);
    const any = fc.integer({ min: 0, max: 0xffffff }).map(hex);
    fc.assert(fc.property(any, expectLegible), { numRuns: 20_000, seed: usualSeed });
  });

  it('stay as chosen where they are legible', () => {
    expect(brandColours('#0b6b4f')).to.deep.include({ fill: '#0b6b4f', onFill: '#ffffff' });
    expect(brandColours('#0b6b4f').light.accent).to.equal('#0b6b4f');
    expect(brandColours('#5fd3a8').dark.accent).to.equal('#5fd3a8');
    expect(brandColours('#ffd400')).to.deep.include({ fill: '#ffd400', onFill: '#000000' });
  });

  it('use the grounds and inks of pages and mails', () => {
    const tokens = readFileSync('site/assets/css/tokens.css', 'utf8');
    for (const [index, name] of ['ground', 'raised'].entries())
      expect(tokens).to.include(`--${name}: light-dark(${grounds.light[index]}, ${grounds.dark[index]});`);
    for (const [index, name] of ['ink', 'ink-soft'].entries())
      expect(tokens).to.include(`--${name}: light-dark(${inks.light[index]}, ${inks.dark[index]});`);
  });

  it('accept the notations that operators use, and nothing else', () => {
    for (const text of ['#0A7d33', '0a7d33', ' #0a7d33 ']) expect(readColour(text)).to.equal('#0a7d33');
    expect(readColour('#0a3')).to.equal('#00aa33');
    for (const text of ['', '#', 'green', '#0a7d3', '#0a7d33ff', 'rgb(0,0,0)', '#0a7d3g', '#0a7d33;}'])
      expect(readColour(text), text).to.equal(undefined);
  });
});

function expectLegible(colour: string): void {
  const { fill, onFill, fillHover, ...schemes } = brandColours(colour);
  const least = (pairs: [string, string][]) => Math.min(...pairs.map(([one, other]) => contrast(one, other)));
  for (const name of ['light', 'dark'] as const) {
    const { accent, tint } = schemes[name];
    const behind = [...grounds[name], tint];
    const onTint = inks[name].map((ink): [string, string] => [ink, tint]);
    const links = behind.map((ground): [string, string] => [accent, ground]);
    expect(least([...links, ...onTint]), `${colour} in ${name}`).to.be.at.least(TEXT_CONTRAST);
  }
  const buttons: [string, string][] = [
    [onFill, fill],
    [onFill, fillHover],
  ];
  expect(least(buttons), `on ${colour}`).to.be.at.least(TEXT_CONTRAST);
}
