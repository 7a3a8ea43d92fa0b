import { z } from 'zod';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { submittedSchema } from './request-schema.ts';

const TIMEOUT_MS = 20_000;

const entrySchema = submittedSchema.extend({ id: z.uuid(), user_id: z.uuid() });
export type RequestEntry = z.infer<typeof entrySchema>;

/** The id is made on the device, so a retry stores nothing twice. */
export const sendRequest: SendEntry = async ({ payload }, { connection }) => {
  const request = parsePayload(entrySchema, payload);
  accepted(
    await connection
      .from('leave_requests')
      .upsert({ ...request, status: 'pending' }, { onConflict: 'id', ignoreDuplicates: true })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
};
