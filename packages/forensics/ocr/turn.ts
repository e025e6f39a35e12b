import type { Box } from '../model.ts';

/** Where a box was before its picture was rotated clockwise about its centre by this many radians; the box keeps its size. */
export function unturned(
  box: Box,
  { width, height, slope = 0 }: { width: number; height: number; slope?: number },
): Box {
  const x = box.x + (box.width - width) / 2;
  const y = box.y + (box.height - height) / 2;
  const [cos, sin] = [Math.cos(slope), Math.sin(slope)];
  return { ...box, x: x * cos + y * sin + (width - box.width) / 2, y: y * cos - x * sin + (height - box.height) / 2 };
}
