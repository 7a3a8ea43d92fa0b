import { readErrorCode } from '../errors/error-message.ts';

/** SQLSTATE unique_violation. */
const ALREADY_STORED = '23505';

const tidy = (value: unknown) =>
  typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() || null : (value ?? null);

type Requests = {
  insert: () => PromiseLike<unknown>;
  /** The row that is stored under the id. */
  fetchStored: () => PromiseLike<{ data: object | null }>;
};

/**
 * Inserts a row with an id made in the browser. A repeat after a lost answer succeeds, and stores nothing twice.
 * @throws also if another content was stored under the id
 */
export async function insertOnce(row: { id: string }, requests: Requests): Promise<void> {
  try {
    await requests.insert();
  } catch (error) {
    if (readErrorCode(error) !== ALREADY_STORED) throw error;
    const { data } = await requests.fetchStored();
    if (data === null) throw error;
    const stored = new Map<string, unknown>(Object.entries(data));
    const isSame = Object.entries(row).every(
      ([name, value]) => tidy(stored.get(name)) === tidy(value),
    );
    if (isSame) return;
    throw new Error(
      'Your first attempt was saved, without what you have changed since. Close the form to see it.',
    );
  }
}
