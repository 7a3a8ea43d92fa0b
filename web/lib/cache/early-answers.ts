// Hands the answers that the office's page requested while the code was loading (web/portals/admin/early-requests.ts) to the
// queries of its first screen, which then needn't wait for supabase-js.
import type { Answer } from '../data/pages.ts';
import { sessionOnDevice } from '../session/device-session.ts';

export type EarlyName = 'profile' | 'roles' | 'deployments';

export type EarlyAnswers = {
  /** Whose rows they are. */
  accessToken: string;
  /** Undefined: refused, or there was no network. */
  answers: Map<EarlyName, Promise<Response | undefined>>;
};

declare global {
  var earlyAnswers: EarlyAnswers | undefined;
}

/** A screen that is opened later fetches its own rows. */
const MAX_AGE_MS = 15_000;

/** Whether the page requested the rows of its first screen as the session that is stored now. */
export const hasEarlyAnswers = (): boolean =>
  globalThis.earlyAnswers !== undefined &&
  globalThis.earlyAnswers.accessToken === sessionOnDevice()?.access_token;

/** @returns whether all answers come; call it before the queries take them */
export async function earlyAnswersCome(): Promise<boolean> {
  if (!hasEarlyAnswers()) return false;
  const answers = await Promise.all(globalThis.earlyAnswers?.answers.values() ?? []);
  return answers.every((answer) => answer !== undefined);
}

function totalOf(answer: Response): number | null {
  const total = /\/(?<total>\d+)$/.exec(answer.headers.get('content-range') ?? '')?.groups?.total;
  return total === undefined ? null : Number(total);
}

/**
 * Takes an answer, once. The caller names the type of its rows, as with supabase-js.
 * @returns undefined if the caller must fetch the rows
 */
export async function takeEarly<Row>(name: EarlyName): Promise<Answer<Row> | undefined> {
  const pending = globalThis.earlyAnswers?.answers.get(name);
  globalThis.earlyAnswers?.answers.delete(name);
  if (!pending || !hasEarlyAnswers() || performance.now() > MAX_AGE_MS) return undefined;
  const answer = await pending;
  if (!answer) return undefined;
  try {
    return { data: await answer.json(), count: totalOf(answer), error: null };
  } catch {
    return undefined; // Cut off on the way.
  }
}
