// Setting a PIN at the device, with a start code of the office. Only with a network: the server checks the code.
import * as z from 'zod/mini';
import { accepted } from '#web/lib/outbox/answers.ts';
import { kioskClient, requireSecret } from './binding.ts';

const TIMEOUT_MS = 20_000;

const answerSchema = z.object({
  outcome: z.enum(['set', 'wrong', 'blocked', 'refused']),
  message: z.nullish(z.string()),
});

const PROBLEMS = {
  wrong: 'This code is wrong, used or expired. Check it, or ask the office for a new one.',
  blocked: 'Too many wrong codes. Try again in 15 minutes.',
} as const;

type NewPin = { userId: string; code: string; pin: string };

/** @returns why the PIN was not set @throws without a network */
export async function setPinOnDevice({ userId, code, pin }: NewPin): Promise<string | undefined> {
  const client = await kioskClient();
  const { data } = accepted(
    await client
      .rpc('device_set_pin', {
        p_secret: await requireSecret(),
        p_user_id: userId,
        p_code: code,
        p_pin: pin,
      })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  const { outcome, message } = answerSchema.parse(data);
  if (outcome === 'set') return undefined;
  return outcome === 'refused' ? (message ?? 'The PIN could not be set.') : PROBLEMS[outcome];
}
