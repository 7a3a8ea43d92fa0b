// "I am fine" in a push message. Runs in the service worker, without a session: the message carries a token for its check.
// The answer is an entry of the outbox first. The worker or the page sends it, and both may: the server stores it once.

import * as z from 'zod/mini';
import { deviceNow } from '#web/lib/clock/server-now.ts';
import { announce } from '#web/lib/outbox/changes.ts';
import { waitingEntry } from '#web/lib/outbox/entry.ts';
import { WELFARE_KIND } from '#web/lib/outbox/kinds.ts';
import { serverOffset } from '#web/lib/outbox/server-clock.ts';
import { outboxStore } from '#web/lib/outbox/store.ts';

// The content security policy forbids code made from strings, as Zod's compiled checks are.
z.config({ jitless: true });

const checkSchema = z.object({
  userId: z.string(),
  assignmentId: z.string(),
  checkId: z.string(),
  token: z.string(),
});
type PushedCheck = z.infer<typeof checkSchema>;

/** @returns undefined if the message is about something else */
export const pushedCheck = (sent: unknown): PushedCheck | undefined =>
  checkSchema.safeParse(sent).data;

const configSchema = z.object({ supabaseUrl: z.url(), supabaseAnonKey: z.string() });

/** The fields of the entry that are used here; the page reads the rest. */
const storedSchema = z.object({ check: checkSchema });

const TIMEOUT_MS = 20_000;

type Pressed = { check: PushedCheck; deviceAt: number; offsetMs: number | null };

/** @returns whether the server has it; otherwise the page sends it @throws without an answer of the server */
async function post(
  { check, deviceAt, offsetMs }: Pressed,
  connection: Response,
): Promise<boolean> {
  const { supabaseUrl, supabaseAnonKey } = configSchema.parse(await connection.json());
  const answer = await fetch(`${supabaseUrl}/rest/v1/rpc/answer_pushed_check`, {
    method: 'POST',
    headers: { apikey: supabaseAnonKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      p_check_id: check.checkId,
      p_token: check.token,
      p_device_at: new Date(deviceAt).toISOString(),
      p_sent_at: new Date(deviceNow()).toISOString(),
      p_server_offset_ms: offsetMs,
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.status >= 500) throw new Error(`The server answered ${answer.status}.`);
  return answer.ok;
}

/** Stores the answer of this moment. @returns the id of the entry @throws OutboxFull */
export async function storeAnswer(check: PushedCheck): Promise<string> {
  const store = await outboxStore();
  const deviceAt = deviceNow();
  const offsetMs = await serverOffset(store);
  const id = crypto.randomUUID();
  const { userId, assignmentId } = check;
  // The page reads the first three and sends with its session.
  const payload = { assignmentId, deviceAt, offsetMs, check };
  const entry = { id, userId, kind: WELFARE_KIND, title: 'I am fine', payload };
  await store.add(waitingEntry(entry, deviceAt, offsetMs), []);
  announce({ id, outcome: 'added' });
  return id;
}

/**
 * Sends a stored answer, unless the page has sent it.
 * @param connection response of the connection settings
 * @returns whether the server has it
 * @throws without an answer of the server: it should be sent again
 */
export async function sendStoredAnswer(
  id: string,
  connection: Promise<Response>,
): Promise<boolean> {
  const store = await outboxStore();
  const entry = await store.find(id);
  if (!entry) return true;
  const { madeAt: deviceAt, offsetMs, payload } = entry;
  const check = storedSchema.safeParse(payload).data?.check;
  if (!check || !(await post({ check, deviceAt, offsetMs }, await connection))) return false;
  await store.remove(id);
  announce({ id, outcome: 'sent' });
  return true;
}
