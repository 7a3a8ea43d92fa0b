// Sends what a guard did for their safety. Both are idempotent.

import { queryClient } from '#web/lib/cache/query-client.ts';
import { welfareKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { deviceTimes } from '#web/lib/outbox/device-times.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { showSentSos } from './api.ts';
import { sosSchema } from './sos.ts';
import { welfareAnswerSchema } from './welfare.ts';

const TIMEOUT_MS = 20_000;
/** An SOS is tried again soon rather than waited for. */
const SOS_TIMEOUT_MS = 8_000;

export const sendWelfareAnswer: SendEntry = async ({ payload }, { connection }) => {
  const answer = parsePayload(welfareAnswerSchema, payload);
  accepted(
    await connection
      .rpc('answer_welfare_check', {
        p_assignment_id: answer.assignmentId,
        ...deviceTimes(answer.deviceAt, answer.offsetMs),
      })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the card doesn't ask again in between.
  await queryClient.invalidateQueries({ queryKey: welfareKey });
};

export const sendSos: SendEntry = async ({ payload, userId }, { connection }) => {
  const sos = parsePayload(sosSchema, payload);
  const { sosId: p_id, gps, accuracyM, note, deviceAt, offsetMs } = sos;
  const times = deviceTimes(deviceAt, offsetMs);
  const request =
    sos.step === 'cancel'
      ? connection.rpc('cancel_sos', { p_id, ...(note && { p_note: note }), ...times })
      : connection.rpc('raise_sos', {
          p_id,
          ...times,
          ...(gps !== null && { p_gps: gps }),
          ...(accuracyM !== null && { p_accuracy_m: accuracyM }),
        });
  accepted(await request.select('id').abortSignal(AbortSignal.timeout(SOS_TIMEOUT_MS)));
  // Before the outbox drops the entry, so that the card stays.
  showSentSos(userId, { id: p_id, raised_at: new Date(deviceAt + (offsetMs ?? 0)).toISOString() });
};
