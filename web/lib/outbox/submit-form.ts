// Submits what a form holds. The form stays open with all that was typed when the server refuses it.
import type { NewEntry, OutboxFile } from './entry.ts';
import { discard } from './outbox.ts';
import { type Submitted, submit } from './submit.ts';

/**
 * @returns `refused` only for a refusal of a part: it stays in the list of what waits
 * @throws the reason of a refusal; OutboxFull when there is neither room nor network
 */
export async function submitForm(
  entry: NewEntry,
  files: readonly OutboxFile[] = [],
): Promise<Submitted> {
  const outcome = await submit(entry, files);
  if (outcome.state === 'refused' && !outcome.isStored) {
    // The form still holds everything.
    await discard(entry.id);
    throw new Error(outcome.reason);
  }
  return outcome;
}
