// What the dialog needs to send a message or a request; loaded with it.

import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { clientPortalKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { fromLocalInput } from '#web/lib/format/dates.ts';
import { portal } from './backend.ts';

const messageSchema = z.object({
  /** Client and site, as `placeValue` joins them. */
  place: z.string().min(1, 'Choose a site'),
  body: textField('Message', limits.CLIENT_REQUESTS_BODY_MAX).min(
    limits.CLIENT_REQUESTS_BODY_MIN,
    'Write a message',
  ),
  starts_at: z.string(),
  ends_at: z.string(),
  headcount: z.string(),
});
export type RequestForm = z.infer<typeof messageSchema>;
export type RequestKind = 'message' | 'extra_guard';

export const schemas: Record<RequestKind, z.ZodType<RequestForm, RequestForm>> = {
  message: messageSchema,
  extra_guard: messageSchema
    .extend({
      starts_at: z.string().min(1, 'Choose when it starts'),
      ends_at: z.string().min(1, 'Choose when it ends'),
      headcount: wholeNumberField({
        name: 'Number of guards',
        required: 'Number of guards is required',
        minimum: limits.CLIENT_REQUESTS_HEADCOUNT_MIN,
        maximum: limits.CLIENT_REQUESTS_HEADCOUNT_MAX,
      }),
    })
    .refine(({ starts_at, ends_at }) => ends_at > starts_at, {
      error: 'The end must be after the start',
      path: ['ends_at'],
    }),
};

export const placeValue = (clientId: string, siteId: string | null) =>
  `${clientId}/${siteId ?? ''}`;

/** @param id of the request, the same when it is sent again */
async function sendRequest({
  id,
  kind,
  form,
}: {
  id: string;
  kind: RequestKind;
  form: RequestForm;
}) {
  const [clientId = '', siteId] = form.place.split('/');
  const starts = fromLocalInput(form.starts_at);
  const ends = fromLocalInput(form.ends_at);
  await portal()
    .rpc('send_client_request', {
      p_id: id,
      p_client_id: clientId,
      p_body: form.body,
      ...(siteId && { p_site_id: siteId }),
      ...(kind === 'extra_guard' &&
        starts &&
        ends && {
          p_starts_at: starts,
          p_ends_at: ends,
          p_headcount: parseWholeNumber(form.headcount),
        }),
    })
    .throwOnError();
}

export const useSendRequest = () => useChange(clientPortalKey, sendRequest);
