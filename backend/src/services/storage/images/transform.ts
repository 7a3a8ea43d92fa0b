// Image transformation parameters (Supabase docs, "Storage Image Transformations") and their serialized forms.

import type { Readable } from 'node:stream';
import { z } from 'zod';
import { imageTooLarge, notAnImage, tooManyTransforms } from '../errors.ts';

const side = z.coerce.number().int().min(1).max(2_500).optional();

export const Transform = z.object({
  /** Pixels. */
  width: side,
  height: side,
  resize: z.enum(['cover', 'contain', 'fill']).optional(),
  quality: z.coerce.number().int().min(20).max(100).optional(),
  format: z.enum(['origin', 'avif', 'webp']).optional(),
});
export type Transform = z.infer<typeof Transform>;

/** imgproxy's names. */
const RESIZING = { cover: 'fill', contain: 'fit', fill: 'force' } as const;

/** @returns for tokens, for example `height:200,width:200,resize:cover`; empty without parameters */
export function serializeTransform(transform: Transform): string {
  const { height, width, resize, format, quality } = transform;
  return Object.entries({ height, width, resize, format, quality })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
    .join(',');
}

/** @param text from a signed token */
export function parseTransform(text: string): Transform {
  return Transform.parse(Object.fromEntries(text.split(',').map((part) => part.split(':'))));
}

/** @returns the value of the X-Transformations header */
export function transformHeader({ height, width, resize, format, quality }: Transform): string {
  const isSized = height !== undefined || width !== undefined;
  const parts = {
    height,
    width,
    resizing_type: isSized ? RESIZING[resize ?? 'cover'] : undefined,
    format: format === 'origin' ? undefined : format,
    quality,
  };
  return Object.entries(parts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
    .join(',');
}

// Transforms images with sharp, which is loaded with the first one.

/** At most `concurrency` calls of `run` at once; @throws StorageError 503 when too many are waiting */
function createSemaphore(concurrency: number, maxWaiting: number) {
  let free = concurrency;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else if (waiting.length >= maxWaiting) throw tooManyTransforms();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** Larger than any camera's images; a small file may declare far more. */
const MAX_PIXELS = 100_000_000;
const CONCURRENCY = 2;
const MAX_WAITING = 100;
const TIMEOUT_S = 20;
const FIT = { cover: 'cover', contain: 'inside', fill: 'fill' } as const;
const QUALITY = 80;
type Format = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff';
/** Output formats by input format; JPEG for all others. */
const ORIGINAL_FORMATS: Readonly<Record<string, Format>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  heif: 'avif',
};

const limited = createSemaphore(CONCURRENCY, MAX_WAITING);
type Sharp = typeof import('sharp').default;
let library: Promise<Sharp> | undefined;

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  // Only photo formats: none that reads other files, or interprets text or vector graphics.
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

export interface Image {
  data: Buffer;
  /** `image/webp` … */
  type: string;
}

/**
 * @param read opens the object's file
 * @param acceptsWebp whether the client does
 * @throws StorageError when it is not an image, or too large
 */
export async function transformImage(
  read: () => Promise<Readable>,
  transform: Transform,
  acceptsWebp: boolean,
): Promise<Image> {
  library ??= load();
  const sharp = await library;
  return limited(async () => {
    const source = await read();
    const pipeline = sharp({
      limitInputPixels: MAX_PIXELS,
      sequentialRead: true,
      pages: 1,
      // As browsers do: shows images with a wrong checksum or a damaged end.
      failOn: 'none',
    });
    source.once('error', (error) => pipeline.destroy(error));
    source.pipe(pipeline);
    try {
      const { format } = await pipeline.metadata();
      const original = ORIGINAL_FORMATS[format] ?? 'jpeg';
      const target: Format =
        transform.format === 'avif' || transform.format === 'webp'
          ? transform.format
          : acceptsWebp && transform.format !== 'origin'
            ? 'webp'
            : original;
      const { width, height, resize = 'cover', quality = QUALITY } = transform;
      const isSized = width !== undefined || height !== undefined;
      const upright = pipeline.autoOrient();
      const sized = isSized ? upright.resize({ width, height, fit: FIT[resize] }) : upright;
      const { data, info } = await sized
        .toFormat(target, { quality })
        .timeout({ seconds: TIMEOUT_S })
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
