import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Observation, ok, problem, warning } from '../../core/conditions/observation.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Observers } from './look.ts';

const MIB = 2 ** 20;
const LITTLE_MIB = 1024;
const TOO_LITTLE_MIB = 100;
const TOO_FEW_INODES = 1_000;
const FEW_INODES_SHARE = 0.01;

export interface Room {
  freeMib: number;
  /** Undefined where the file system has no fixed number of inodes. */
  inodes: { free: number; all: number } | undefined;
}

type Measure = (folder: string) => Promise<Room>;

/** The room on the disks of the service. @param measure for tests, which cannot fill a disk */
export function ofMachine(
  { dataDir, database }: Pick<Config, 'dataDir' | 'database'>,
  measure: Measure = roomIn,
): Pick<Observers, 'disk' | 'inodes'> {
  const folders = [dataDir, ...(database.dialect === 'sqlite' ? [dirname(database.file)] : [])];
  const rooms = () => Promise.all(folders.map(measure));
  return { disk: async () => disk(await rooms()), inodes: async () => inodes(await rooms()) };
}

function disk(rooms: readonly Room[]): Observation {
  const least = Math.min(...rooms.map(({ freeMib }) => freeMib));
  const found = `${least >= 1024 ? `${(least / 1024).toFixed(1)} GiB` : `${Math.floor(least)} MiB`} are free.`;
  if (least < TOO_LITTLE_MIB) return problem(found);
  return least < LITTLE_MIB ? warning(found) : ok(found);
}

function inodes(rooms: readonly Room[]): Observation {
  const counted = rooms.flatMap((room) => room.inodes ?? []);
  const [fewest] = counted.toSorted((a, b) => a.free - b.free);
  if (!fewest) return ok('The file system does not limit the number of files.');
  const found = `Files that can still be created: ${fewest.free} of ${fewest.all}.`;
  if (fewest.free < TOO_FEW_INODES) return problem(found);
  return fewest.free < fewest.all * FEW_INODES_SHARE ? warning(found) : ok(found);
}

/** The room in the folder, or in its closest existing parent. */
async function roomIn(folder: string): Promise<Room> {
  if (!existsSync(folder)) return roomIn(dirname(folder));
  const { bavail, bsize, ffree, files } = await statfs(folder);
  return { freeMib: (bavail * bsize) / MIB, inodes: files > 0 ? { free: ffree, all: files } : undefined };
}
