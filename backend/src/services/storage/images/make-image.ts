// Makes the picture that was asked for. sharp is loaded with the first one; what it may read and hold is limited.
import type { Readable } from 'node:stream';
import { imageTooLarge, notAnImage } from '../errors/catalogue.ts';
import { openGate } from './gate.ts';
import type { Transform } from './transform.ts';

/** A camera's largest pictures; a small file may claim far more. */
const MOST_PIXELS = 100_000_000;
const AT_ONCE = 2;
const MAY_WAIT = 100;
const SECONDS = 20;
const FIT = { cover: 'cover', contain: 'inside', fill: 'fill' } as const;
const QUALITY = 80;
type Format = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff';
/** Formats that are sent as they came; everything else leaves as JPEG. */
const KEPT: Readonly<Record<string, Format>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  heif: 'avif',
};

const gate = openGate(AT_ONCE, MAY_WAIT);
type Sharp = typeof import('sharp').default;
let library: Promise<Sharp> | undefined;

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  // Nothing that reads other files, runs text or draws vectors: only photographs.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadHeifBuffer',
      'VipsForeignLoadNsgifBuffer',
      'VipsForeignLoadTiffBuffer',
    ],
  });
  return sharp;
}

export interface Picture {
  data: Buffer;
  /** `image/webp` … */
  type: string;
}

/**
 * @param read opens the object's file
 * @param takesWebp whether the client says so
 * @throws StorageError for what is no picture, or too large a one
 */
export async function makeImage(
  read: () => Promise<Readable>,
  transform: Transform,
  takesWebp: boolean,
): Promise<Picture> {
  library ??= load();
  const sharp = await library;
  return gate.through(async () => {
    const source = await read();
    const pipeline = sharp({
      limitInputPixels: MOST_PIXELS,
      sequentialRead: true,
      pages: 1,
      // As browsers do: a wrong checksum or a damaged tail still leaves a picture to show.
      failOn: 'none',
    });
    source.once('error', (error) => pipeline.destroy(error));
    source.pipe(pipeline);
    try {
      const { format } = await pipeline.metadata();
      const original = KEPT[format] ?? 'jpeg';
      const wanted: Format =
        transform.format === 'avif' || transform.format === 'webp'
          ? transform.format
          : takesWebp && transform.format !== 'origin'
            ? 'webp'
            : original;
      const { width, height, resize = 'cover', quality = QUALITY } = transform;
      const isSized = width !== undefined || height !== undefined;
      const upright = pipeline.autoOrient();
      const sized = isSized ? upright.resize({ width, height, fit: FIT[resize] }) : upright;
      const { data, info } = await sized
        .toFormat(wanted, { quality })
        .timeout({ seconds: SECONDS })
        .toBuffer({ resolveWithObject: true });
      return { data, type: `image/${info.format === 'heif' ? 'avif' : info.format}` };
    } catch (error) {
      if (error instanceof Error && /pixel limit|timeout/i.test(error.message)) {
        throw imageTooLarge();
      }
      throw notAnImage();
    } finally {
      source.destroy();
    }
  });
}
