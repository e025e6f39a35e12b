import type { Box } from '../model.ts';

/** Cameras store pictures in the orientation of the sensor, and state how to rotate them (CIPA DC-008 4.6.4, tag 0x0112). */

/** A box of the stored picture, which is `across` by `down` pixels, as it lies in the upright picture. */
export function uprightBox({ x, y, width, height }: Box, across: number, down: number, orientation: number): Box {
  const [right, bottom] = [across - x - width, down - y - height];
  switch (orientation) {
    case 2:
      return { x: right, y, width, height };
    case 3:
      return { x: right, y: bottom, width, height };
    case 4:
      return { x, y: bottom, width, height };
    case 5:
      return { x: y, y: x, width: height, height: width };
    case 6:
      return { x: bottom, y: x, width: height, height: width };
    case 7:
      return { x: bottom, y: right, width: height, height: width };
    case 8:
      return { x: y, y: right, width: height, height: width };
    default:
      return { x, y, width, height };
  }
}
