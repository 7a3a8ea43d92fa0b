// A photo or document of a report, ready to be sent.
import { z } from 'zod';

/** As it lies in a draft, too. */
export const attachmentSchema = z.object({
  id: z.uuid(),
  /** With its ending. */
  name: z.string(),
  /** MIME type. */
  type: z.string(),
  content: z.instanceof(Blob),
  /** ISO 8601 in UTC; null for what was not taken but written. */
  takenAt: z.string().nullable(),
  /** 'lat,lng' in degrees. */
  gps: z.string().nullable(),
  locatedBy: z.enum(['photo', 'device']).nullable(),
});

export type Attachment = z.infer<typeof attachmentSchema>;
