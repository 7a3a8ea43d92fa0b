import * as z from 'zod/mini';

export const eventSchema = z.object({
  assignmentId: z.uuid(),
  userId: z.uuid(),
  kind: z.enum(['in', 'out']),
  pin: z.object({ iv: z.instanceof(Uint8Array<ArrayBuffer>), data: z.instanceof(ArrayBuffer) }),
  /** 'lat,lng' in degrees. */
  gps: z.nullable(z.string()),
  /** Metres. */
  accuracyM: z.nullable(z.number()),
});
export type KioskEvent = z.infer<typeof eventSchema>;
