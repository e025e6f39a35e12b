/**
 * Derives the colours of pages and mails from a landlord's colour, so that everything stays legible: contrast by WCAG 2.2 (relative
 * luminance), 4.5:1 for text (1.4.3), which is more than borders and focus need (1.4.11).
 */
export interface BrandColours {
  /** The ground of buttons: the colour itself. */
  fill: string;
  onFill: string;
  /** The ground of a button under the pointer. */
  fillHover: string;
  light: SchemeColours;
  dark: SchemeColours;
}

export interface SchemeColours {
  /** Links, borders and focus: the colour, or the closest one that is legible on every ground. */
  accent: string;
  /** The ground of selected items. */
  tint: string;
}

type Rgb = [red: number, green: number, blue: number];

/** The minimum contrast of text. */
export const TEXT_CONTRAST = 4.5;

/** The grounds of pages and mails, as in `site/assets/css/tokens.css`. */
export const grounds = { light: ['#ffffff', '#f6f8f7'], dark: ['#0c1110', '#131a18'] } as const;

const WHITE = '#ffffff';
const BLACK = '#000000';
const TINT = 0.1;
const HOVER = 0.15;
const STEPS = 100;

/**
 * @returns the colour with six digits in lower case; undefined unless it looks like `#0a7d33` or `#0a3`
 */
export function readColour(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase();
  return digits && `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
}

/** @param colour as `readColour` returns it */
export function brandColours(colour: string): BrandColours {
  // One of them always suffices: both contrasts multiply to 21.
  const onFill = contrast(colour, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK;
  return {
    fill: colour,
    onFill,
    fillHover: mixed(colour, onFill === WHITE ? BLACK : WHITE, HOVER),
    light: legible(colour, BLACK, grounds.light),
    dark: legible(colour, WHITE, grounds.dark),
  };
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The first colour on the way to black or white that is legible on every ground and on its own tint. */
function legible(colour: string, extreme: string, [ground, raised]: readonly [string, string]): SchemeColours {
  for (let step = 0; step < STEPS; step++) {
    const accent = mixed(colour, extreme, step / STEPS);
    const tint = mixed(ground, accent, TINT);
    if ([ground, raised, tint].every((behind) => contrast(accent, behind) >= TEXT_CONTRAST)) return { accent, tint };
  }
  return { accent: extreme, tint: mixed(ground, extreme, TINT) };
}

function luminance(colour: string): number {
  const [red, green, blue] = rgb(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/**
 * @param share of the other colour
 */
function mixed(one: string, other: string, share: number): string {
  const [from, to] = [rgb(one), rgb(other)];
  const parts = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function rgb(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
