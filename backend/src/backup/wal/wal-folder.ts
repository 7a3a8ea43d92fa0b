// The folder of base backups and WAL segments. Each run of a database has a folder in it: after a restore, PostgreSQL begins
// a new timeline, and segments of two timelines or databases must never be mixed.
import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readPlainHeader } from '../archive-format.ts';
import { ByteReader } from '../byte-reader.ts';
import { timeInName } from '../write-archive.ts';
import { segmentName, segmentNumber } from './positions.ts';

export interface Base {
  file: string;
  /** From then on a restore can begin with it. */
  endedAt: Date;
  /** Number of the first segment that it needs. */
  first: number;
}

export interface Segment {
  file: string;
  number: number;
}

export interface Run {
  folder: string;
  /** Oldest first. */
  bases: Base[];
  segments: Segment[];
}

const BASE = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-(\d{3})-([0-9A-F]{24})\.base$/;
const SEGMENT = /^([0-9A-F]{24})\.wal$/;

/** @param backups absolute path of the folder of archives */
export const walFolder = (backups: string, product: string): string =>
  path.join(backups, `${product}-wal`);

export const baseName = (endedAt: string, segment: string): string =>
  `${timeInName(endedAt)}-${segment}.base`;

const existing = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });

export async function readRun(folder: string): Promise<Run> {
  const names = (await existing(folder)).sort();
  const bases = names.flatMap((name): Base[] => {
    const [, year, month, day, hour, minute, second, ms, segment] = BASE.exec(name) ?? [];
    if (segment === undefined) return [];
    const endedAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
    return [{ file: path.join(folder, name), endedAt, first: segmentNumber(segment) }];
  });
  const segments = names.flatMap((name): Segment[] => {
    const segment = SEGMENT.exec(name)?.[1];
    if (segment === undefined) return [];
    return [{ file: path.join(folder, name), number: segmentNumber(segment) }];
  });
  return { folder, bases, segments };
}

/** @param folder of all runs */
export async function readRuns(folder: string): Promise<Run[]> {
  const names = await existing(folder);
  return Promise.all(names.sort().map((name) => readRun(path.join(folder, name))));
}

/** @returns the segments from the base on without a gap, and the number of the one that follows */
export function findChain({ segments }: Run, { first }: Base): { chain: Segment[]; next: number } {
  const later = segments.filter(({ number }) => number >= first);
  const gap = later.findIndex(({ number }, index) => number !== first + index);
  const chain = gap < 0 ? later : later.slice(0, gap);
  return { chain, next: first + chain.length };
}

/**
 * @param next number of the segment that follows a chain
 * @returns its path, if later ones exist
 */
export function missingSegment({ folder, segments }: Run, next: number): string | undefined {
  if (!segments.some(({ number }) => number > next)) return undefined;
  const timeline = Number(path.basename(folder).split('-').at(-1));
  return path.join(folder, `${segmentName(timeline, next)}.wal`);
}

/** @returns the moment that this segment, and those before it, reach */
export async function readReach({ file }: Segment): Promise<Date> {
  const stream = createReadStream(file, { end: 64 * 1024 });
  try {
    const { header } = await readPlainHeader(new ByteReader(stream));
    return new Date(header.takenAt);
  } finally {
    stream.destroy();
  }
}

export interface Range {
  from: Date;
  /** Before this moment. */
  until: Date;
}

/** @returns what can be restored, oldest first; joined where a base continues the one before */
export async function listRanges(runs: Run[]): Promise<Range[]> {
  const ranges: Range[] = [];
  for (const run of runs) {
    for (const base of run.bases) {
      const last = findChain(run, base).chain.at(-1);
      if (last === undefined) continue;
      const until = await readReach(last);
      if (until <= base.endedAt) continue;
      const before = ranges.at(-1);
      if (before && before.until >= until) continue;
      if (before && before.until >= base.endedAt) before.until = until;
      else ranges.push({ from: base.endedAt, until });
    }
  }
  return ranges;
}

/**
 * Removes all but the newest bases, and the segments before the oldest that stays.
 * @param current folder of the run that goes on, which is never removed
 */
export async function removeOldRuns(folder: string, current: string, keep: number): Promise<void> {
  const runs = await readRuns(folder);
  const bases = runs.flatMap((run) => run.bases).sort((a, b) => +b.endedAt - +a.endedAt);
  const kept = new Set(bases.slice(0, keep));
  for (const run of runs) {
    const staying = run.bases.filter((base) => kept.has(base));
    if (staying.length === 0 && run.folder !== current) {
      await rm(run.folder, { recursive: true, force: true });
      continue;
    }
    const first = Math.min(...staying.map((base) => base.first));
    for (const base of run.bases) if (!kept.has(base)) await rm(base.file, { force: true });
    if (staying.length === 0) continue;
    for (const segment of run.segments) {
      if (segment.number < first) await rm(segment.file, { force: true });
    }
  }
}
