// What is said of something that the outbox keeps for now.
import type { Submitted } from './submit.ts';

const KEPT = 'Waiting to send. It is kept on this phone and sent as soon as there is a signal.';
const FLEETING =
  'Waiting to send. This browser keeps nothing: leave this page open until it is sent.';

/** @returns undefined for what does not wait */
export function waitsWords(outcome: Submitted | undefined): string | undefined {
  if (outcome?.state !== 'waiting') return undefined;
  return outcome.isFleeting ? FLEETING : KEPT;
}
