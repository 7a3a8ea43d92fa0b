import { z } from 'zod';

const POWERS: Record<string, number> = { b: 0, kb: 1, mb: 2, gb: 3, tb: 4 };
const FORM = /^(\d+(?:\.\d+)?) ?(b|kb|mb|gb|tb)?$/i;

/** A size in bytes, or with a decimal unit: `20mb` is 20,000,000. */
export const SizeLimit = z.union([
  z.number().int().min(0),
  z
    .string()
    .regex(FORM, 'must be a size like 20mb')
    .transform((text) => {
      const [, figure = '', unit = 'b'] = FORM.exec(text) ?? [];
      return Math.floor(Number(figure) * 1000 ** (POWERS[unit.toLowerCase()] ?? 0));
    }),
]);
