// What may be asked of an image (PROTOCOL.md 4.5), and how it is written in tokens and headers.
import { z } from 'zod';

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

/** imgproxy's words. */
const RESIZING = { cover: 'fill', contain: 'fit', fill: 'force' } as const;

/** @returns `height:200,width:200,resize:cover`, empty where nothing is asked */
export function transformText(transform: Transform): string {
  const { height, width, resize, format, quality } = transform;
  return Object.entries({ height, width, resize, format, quality })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
    .join(',');
}

/** @param text of a token that we signed */
export function readTransformText(text: string): Transform {
  return Transform.parse(Object.fromEntries(text.split(',').map((part) => part.split(':'))));
}

/** @returns the value of header `X-Transformations` */
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
