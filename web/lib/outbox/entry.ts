// What the outbox holds: something a person did on this device that the server has not answered yet, or has refused.
// Where entries are kept until they are sent: IndexedDB in the browser, memory where there is none.

export type OutboxFile = {
  /** Tells it from the other files of its entry. */
  name: string;
  /** As the person knows it, with its ending. */
  label: string;
  blob: Blob;
};

/** What became of one file. `dropped`: refused, and its owner goes without it. */
export type FileOutcome = {
  state: 'waiting' | 'sent' | 'refused' | 'dropped';
  /** Why it was refused, or why it still waits; null where there is nothing to tell. */
  reason: string | null;
};

export type KeptFile = OutboxFile & FileOutcome;

export type NewEntry = {
  /** Made on the device; the server stores the same id once, however often it arrives. */
  id: string;
  /** Whose it is: it is only ever sent under this account. */
  userId: string;
  /** Names the handler that sends it. */
  kind: string;
  /** In the person's words, for the list of what waits, for example "Clock in, Freeport Gate". */
  title: string;
  /** Must survive being stored (structured clone). Handlers parse it. */
  payload: unknown;
};

export type OutboxEntry = NewEntry & {
  /** Counts up; entries are sent in this order. */
  sequence: number;
  /** By the clock of the device, milliseconds since 1970. */
  madeAt: number;
  /** Milliseconds that the server's clock was ahead of the device's when they last met; null where never. */
  offsetMs: number | null;
  state: 'waiting' | 'refused';
  /** Why it was refused, or why it still waits; null where nothing has been tried. */
  reason: string | null;
  attempts: number;
  /** Whether the server has the record itself, and only files are left. */
  isStored?: boolean;
};

/** What sending finds out about an entry. */
export type EntryNote = Partial<Pick<OutboxEntry, 'state' | 'reason' | 'attempts' | 'isStored'>>;

/** @returns the entry as it is first stored, but for its place in the order */
export function firstState(
  entry: NewEntry,
  now: number,
  offsetMs: number | null,
): Omit<OutboxEntry, 'sequence'> {
  return { ...entry, madeAt: now, offsetMs, state: 'waiting', reason: null, attempts: 0 };
}

/** @returns the file as it is first stored */
export const firstFileState = (file: OutboxFile): KeptFile => ({
  ...file,
  state: 'waiting',
  reason: null,
});

/** @returns the file as it is stored from now on; what arrived or is not wanted takes no room any more */
export function fileAfter(file: KeptFile, outcome: FileOutcome): KeptFile {
  const isDone = outcome.state === 'sent' || outcome.state === 'dropped';
  return { ...file, ...outcome, blob: isDone ? new Blob() : file.blob };
}

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
