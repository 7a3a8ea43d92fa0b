// Sends a request for leave. Its id is made on the device, so a repeat stores nothing twice.
import { z } from 'zod';
import { accepted } from '#web/lib/outbox/answers.ts';
import { payloadOf, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { submittedSchema } from './schema.ts';

const PATIENCE_MS = 20_000;

/** As the outbox keeps it. */
const entrySchema = submittedSchema.extend({ id: z.uuid(), user_id: z.uuid() });
export type RequestEntry = z.infer<typeof entrySchema>;

export const sendRequest: SendEntry = async ({ payload }, { connection }) => {
  const request = payloadOf(entrySchema, payload);
  accepted(
    await connection
      .from('leave_requests')
      .upsert({ ...request, status: 'pending' }, { onConflict: 'id', ignoreDuplicates: true })
      .abortSignal(AbortSignal.timeout(PATIENCE_MS)),
  );
};
