import type { Box } from '../../model.ts';
import type { EarlierSave } from './earlier-save.ts';

/** Clusters blocks without double-compression traces, excluding benign causes. */

export interface Ghost {
  /** In pixels as the file stores them. */
  box: Box;
  /** Blocks in the box that allow a statement, and how many of them lack the traces of the earlier save. */
  blocks: number;
  lacking: number;
  /** In nats per coefficient: the evidence for the earlier save in the rest of the picture, and in this place. */
  restEvidence: number;
  evidence: number;
  /** In nats: the evidence of all coefficients of the place against the earlier save. */
  score: number;
  /** Large and clear enough for a finding. */
  sure: boolean;
}

/** A block needs at least this many significant coefficients, with this much evidence, in nats. */
const COEFFICIENTS = 4;
const CLEAR = 1.5;
/** How far apart blocks of one place are, in blocks. */
const GAP = 2;
/** Only the largest places are examined. */
const GROUPS = 60;
/** A place worth recording: this many blocks lack the traces, and they are this share of its blocks. */
const CANDIDATE_BLOCKS = 4;
const PURITY = 0.8;
/** A place worth a finding: this many blocks, with this much evidence in nats. */
const SURE_BLOCKS = 8;
const SURE = 40;
/** The picture without its places: at least this many blocks show the earlier save, and nearly all. */
const REST_BLOCKS = 100;
const REST_PURITY = 0.95;
/** Places that cover more than this, or lie along a whole side, may be two pictures combined by an app. */
const LARGEST = 0.3;
/**
 * Imprecise decoders damage strong blocks, such as those of letters, more than weak ones. So a place must differ from blocks of the rest
 * that are at least this part as strong as its own: at least this many of them, nearly all showing the earlier save.
 */
const AS_STRONG = 0.6;
const LIKE_BLOCKS = 30;
const LIKE_PURITY = 0.9;
const ALONG_A_SIDE = 0.7;
/** Blocks of a band that show the earlier save, relative to the blocks of the place: with at most this many, the band is a bar. */
const BAR = 0.1;

/** In blocks, inclusive. */
interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface SaveMap {
  save: EarlierSave;
  /** By block: 1 if it shows the earlier save, -1 if it should but does not, 0 if no statement is possible. */
  says: Int8Array;
  across: number;
  down: number;
}

/** Most certain first; undefined if too little of the picture shows the earlier save, or too much contradicts it. */
export function ghostsOf(save: EarlierSave, width: number, height: number): Ghost[] | undefined {
  const map = mapOf(save);
  const groups = groupsOf(map)
    .sort((one, other) => other.length - one.length)
    .slice(0, GROUPS);
  const apart = new Set(groups.filter(({ length }) => length >= CANDIDATE_BLOCKS).flat());
  const all = { left: 0, top: 0, right: map.across - 1, bottom: map.down - 1 };
  const rest = tally(map, all, apart);
  if (rest.showing < REST_BLOCKS || rest.showing < REST_PURITY * (rest.showing + rest.lacking)) return undefined;
  const ghosts: Ghost[] = [];
  for (const group of groups) {
    const edges = trimmed(map, edgesOf(group, map.across));
    const inside = tally(map, edges);
    const blocks = inside.lacking + inside.showing;
    if (inside.lacking < CANDIDATE_BLOCKS || inside.lacking < PURITY * blocks) continue;
    if (blocks > LARGEST * (rest.showing + blocks) || isAlongASide(map, edges) || isBar(map, edges, blocks)) continue;
    const score = -inside.sum;
    ghosts.push({
      box: boxOf(save, edges, width, height),
      blocks,
      lacking: inside.lacking,
      restEvidence: rest.sum / Math.max(1, rest.count),
      evidence: inside.sum / Math.max(1, inside.count),
      score,
      sure: inside.lacking >= SURE_BLOCKS && score >= SURE && standsOut(map, edges),
    });
  }
  return ghosts.sort((one, other) => other.score - one.score);
}

/** The share of conclusive blocks that show the earlier save; 0 if too few show it. */
export function sayings(save: EarlierSave): { purity: number } {
  const map = mapOf(save);
  const { showing, lacking } = tally(map, { left: 0, top: 0, right: map.across - 1, bottom: map.down - 1 });
  return { purity: showing < REST_BLOCKS ? 0 : showing / (showing + lacking) };
}

function mapOf(save: EarlierSave): SaveMap {
  const { evidence, counts, blocks } = save;
  const says = Int8Array.from(evidence, (nats, index) => {
    if ((counts[index] ?? 0) < COEFFICIENTS || Math.abs(nats) < CLEAR) return 0;
    return nats < 0 ? -1 : 1;
  });
  return { save, says, across: blocks.across, down: blocks.down };
}

/** The blocks that lack traces, by index, in clusters. */
function groupsOf({ says, across, down }: SaveMap): number[][] {
  const seen = new Uint8Array(says.length);
  const groups: number[][] = [];
  for (let start = 0; start < says.length; start++) {
    if (says[start] !== -1 || seen[start] === 1) continue;
    seen[start] = 1;
    const group = [start];
    for (let next = 0; next < group.length; next++) {
      const index = group[next] ?? 0;
      const [column, row] = [index % across, Math.floor(index / across)];
      for (let y = Math.max(0, row - GAP); y <= Math.min(down - 1, row + GAP); y++) {
        for (let x = Math.max(0, column - GAP); x <= Math.min(across - 1, column + GAP); x++) {
          const near = y * across + x;
          if (says[near] !== -1 || seen[near] === 1) continue;
          seen[near] = 1;
          group.push(near);
        }
      }
    }
    groups.push(group);
  }
  return groups;
}

function edgesOf(group: readonly number[], across: number): Edges {
  const edges = { left: across, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0 };
  for (const index of group) {
    const [column, row] = [index % across, Math.floor(index / across)];
    edges.left = Math.min(edges.left, column);
    edges.right = Math.max(edges.right, column);
    edges.top = Math.min(edges.top, row);
    edges.bottom = Math.max(edges.bottom, row);
  }
  return edges;
}

/** Without rows and columns at its edges in which at least as many blocks show the earlier save as lack it. */
function trimmed(map: SaveMap, { left, top, right, bottom }: Edges): Edges {
  const balance = (edges: Edges) => {
    const { showing, lacking } = tally(map, edges);
    return showing - lacking;
  };
  while (left < right || top < bottom) {
    if (top < bottom && balance({ left, top, right, bottom: top }) >= 0) top++;
    else if (top < bottom && balance({ left, top: bottom, right, bottom }) >= 0) bottom--;
    else if (left < right && balance({ left, top, right: left, bottom }) >= 0) left++;
    else if (left < right && balance({ left: right, top, right, bottom }) >= 0) right--;
    else break;
  }
  return { left, top, right, bottom };
}

function tally({ save, says, across }: SaveMap, { left, top, right, bottom }: Edges, without?: ReadonlySet<number>) {
  const total = { showing: 0, lacking: 0, sum: 0, count: 0 };
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const index = row * across + column;
      const said = says[index] ?? 0;
      if (said === 0 || without?.has(index) === true) continue;
      if (said > 0) total.showing++;
      else total.lacking++;
      total.sum += save.evidence[index] ?? 0;
      total.count += save.counts[index] ?? 0;
    }
  }
  return total;
}

/** Whether equally strong blocks elsewhere show the earlier save. */
function standsOut({ save, says, across }: SaveMap, { left, top, right, bottom }: Edges): boolean {
  const isInside = (index: number) => {
    const [column, row] = [index % across, Math.floor(index / across)];
    return column >= left && column <= right && row >= top && row <= bottom;
  };
  const own: number[] = [];
  for (const [index, said] of says.entries()) if (said < 0 && isInside(index)) own.push(save.strengths[index] ?? 0);
  own.sort((one, other) => one - other);
  const strong = AS_STRONG * (own[own.length >> 1] ?? 0);
  let [showing, lacking] = [0, 0];
  for (const [index, said] of says.entries()) {
    if (said === 0 || (save.strengths[index] ?? 0) < strong || isInside(index)) continue;
    if (said > 0) showing++;
    else lacking++;
  }
  return showing >= LIKE_BLOCKS && showing >= LIKE_PURITY * (showing + lacking);
}

function isAlongASide({ across, down }: SaveMap, { left, top, right, bottom }: Edges): boolean {
  const [wide, high] = [right - left + 1 >= ALONG_A_SIDE * across, bottom - top + 1 >= ALONG_A_SIDE * down];
  const margin = 2;
  const atTopOrBottom = top <= margin || bottom >= down - 1 - margin;
  const atLeftOrRight = left <= margin || right >= across - 1 - margin;
  return (wide && atTopOrBottom) || (high && atLeftOrRight);
}

/**
 * Whether a band from a side of the picture to the place shows almost nothing of the earlier save, like the title or buttons beside a
 * picture in a screenshot.
 */
function isBar(map: SaveMap, { left, top, right, bottom }: Edges, blocks: number): boolean {
  const all = { left: 0, top: 0, right: map.across - 1, bottom: map.down - 1 };
  const bands = [
    { ...all, bottom },
    { ...all, top },
    { ...all, right },
    { ...all, left },
  ];
  return bands.some((band) => tally(map, band).showing <= BAR * blocks);
}

function boxOf({ blocks }: EarlierSave, { left, top, right, bottom }: Edges, width: number, height: number): Box {
  const [x, y] = [blocks.originX + left * 8, blocks.originY + top * 8];
  return {
    x,
    y,
    width: Math.min(width - x, (right - left + 1) * 8),
    height: Math.min(height - y, (bottom - top + 1) * 8),
  };
}
