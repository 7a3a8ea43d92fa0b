// A report as the outbox keeps it until it is sent.
import { z } from 'zod';
import { attachmentSchema } from './attachments/attachment.ts';
import { submittedSchema } from './schema.ts';

/** One file; its content lies beside the entry, under the id of the attachment. */
const evidenceSchema = attachmentSchema
  .omit({ id: true, content: true })
  .extend({ id: z.uuid(), attachmentId: z.uuid() });

export const reportEntrySchema = z.object({
  report: submittedSchema.extend({ id: z.uuid(), raised_by_user_id: z.uuid() }),
  evidence: z.array(evidenceSchema),
});

export type ReportEntry = z.infer<typeof reportEntrySchema>;
export type Evidence = z.infer<typeof evidenceSchema>;
