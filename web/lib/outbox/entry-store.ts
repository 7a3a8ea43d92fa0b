// Where entries are kept until they are sent: IndexedDB in the browser, memory where there is none.
import type { EntryNote, FileOutcome, KeptFile, OutboxEntry, OutboxFile } from './entry.ts';

export interface EntryStore {
  /** Whether it lasts only as long as the page is open. */
  isFleeting: boolean;
  /** A repeat of a known id changes nothing. @throws OutboxFull when there is no room; what is there stays */
  add(entry: Omit<OutboxEntry, 'sequence'>, files: readonly OutboxFile[]): Promise<void>;
  /** Everything of this user, in the order in which it was made. */
  listOf(userId: string): Promise<OutboxEntry[]>;
  find(id: string): Promise<OutboxEntry | undefined>;
  filesOf(id: string): Promise<KeptFile[]>;
  /** Changes what became of an entry; does nothing when it is gone. */
  note(id: string, change: EntryNote): Promise<void>;
  /** The same for one of its files. */
  noteFile(id: string, name: string, outcome: FileOutcome): Promise<void>;
  remove(id: string): Promise<void>;
  /** One value that outlives the page, for example how far the clocks are apart. */
  recall(name: string): Promise<unknown>;
  remember(name: string, value: unknown): Promise<void>;
}

/** The device has no room left, or keeps nothing. */
export class OutboxFull extends Error {
  override name = 'OutboxFull';
  constructor(cause: unknown) {
    super(
      'This device has no room left to keep this until it is sent. Free some space, or go where there is a signal, and try again. Nothing that was waiting is lost.',
      { cause },
    );
  }
}
