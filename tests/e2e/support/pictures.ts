// Frames pictures of screens, and makes files of them.
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { Outline } from './outline.ts';
import { ROOT } from './service.ts';

export type Outlines = Record<string, Record<string, Outline>>;

const OUTLINES = path.join(ROOT, 'docs/images/outlines.json');

/** Pixels. */
const BORDER = 3;

/** @param line colour of the border @param radius of the corners, pixels @returns PNG, transparent outside the corners */
export async function framed(picture: Buffer, line: string, radius: number): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const shape = (attributes: string) =>
    Buffer.from(
      `<svg width="${width}" height="${height}"><rect x="${BORDER / 2}" y="${BORDER / 2}" width="${width - BORDER}" height="${height - BORDER}" rx="${radius}" ${attributes}/></svg>`,
    );
  return sharp(picture)
    .composite([
      { input: shape('fill="#fff"'), blend: 'dest-in' },
      { input: shape(`fill="none" stroke="${line}" stroke-width="${BORDER}"`) },
    ])
    .png()
    .toBuffer();
}

/** @returns whether the picture shows more than one surface: a screen that failed to load has few colours */
export async function isBlank(picture: Buffer): Promise<boolean> {
  const { entropy } = await sharp(picture).stats();
  return entropy < 1;
}

export async function readOutlines(): Promise<Outlines> {
  return JSON.parse(await readFile(OUTLINES, 'utf8'));
}

export async function writeOutlines(outlines: Outlines): Promise<void> {
  await writeFile(OUTLINES, `${JSON.stringify(outlines, null, 2)}\n`);
}

export async function pixelsOf(picture: Buffer | string) {
  const { width, height } = await sharp(picture).metadata();
  return { width, height };
}

/** @param file relative to the repository @returns its size, pixels and bytes */
export async function sizeOf(file: string) {
  const place = path.join(ROOT, file);
  return { ...(await pixelsOf(place)), bytes: (await stat(place)).size };
}

/** Larger ones keep a reader waiting on a phone. */
export const MAX_BYTES = 200_000;

/** @param file relative to the repository; .webp or .png @param maxBytes of a .webp */
export async function writePicture(
  file: string,
  picture: Buffer,
  maxBytes = MAX_BYTES,
): Promise<void> {
  const place = path.join(ROOT, file);
  await mkdir(path.dirname(place), { recursive: true });
  if (file.endsWith('.png')) {
    await sharp(picture).png({ palette: true, colours: 200, effort: 10 }).toFile(place);
    return;
  }
  for (const quality of [80, 70, 60, 50, 40, 30]) {
    const { size } = await sharp(picture).webp({ quality, effort: 6 }).toFile(place);
    if (size < maxBytes) return;
  }
}
