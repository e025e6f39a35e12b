interface Size {
  width: number;
  height: number;
}

/** The largest size stored: twice the displayed size, for dense screens. */
export const keptSize: Size = { width: 480, height: 160 };

const shownBox: Size = { width: 240, height: 56 };

/** The largest displayed size, in pixels. */
export function shownSize({ width, height }: Size): Size {
  const scale = Math.min(1, shownBox.width / width, shownBox.height / height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}
