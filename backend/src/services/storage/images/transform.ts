// Image transformation parameters (Supabase docs, "Storage Image Transformations") and their serialized forms.
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
