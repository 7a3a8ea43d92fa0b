// Stores a request. Its id is made on the device, so a repeat stores nothing twice.
import type { z } from 'zod';
import { submissionId } from '#web/lib/drafts/submission-id.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase.ts';
import { type RequestForm, submittedSchema } from '../schema.ts';

export type LeaveRequest = z.infer<typeof submittedSchema> & { id: string; user_id: string };

/** @throws what the server refused, or that there was no connection */
async function sendRequest(request: LeaveRequest): Promise<void> {
  await supabase()
    .from('leave_requests')
    .upsert({ ...request, status: 'pending' }, { onConflict: 'id', ignoreDuplicates: true })
    .throwOnError();
}

/** @param draftId of the draft that the form was opened with @throws what the server refused */
export async function submitRequest(draftId: string, form: RequestForm): Promise<void> {
  const user_id = await requireUserId('Not authenticated');
  const request = submittedSchema.parse(form);
  const id = await submissionId(draftId, ...Object.values(request));
  await sendRequest({ ...request, id, user_id });
}
