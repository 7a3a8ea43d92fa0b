// Outbox entries: what a user submitted on this device and the server has not stored yet, or has refused.

/** How long the user waits for the server before seeing that the entry is queued. */
export const MAX_WAIT_MS = 8_000;

export type OutboxFile = {
  /** Unique among the files of its entry. */
  name: string;
  /** File name to show, with its extension. */
  label: string;
  blob: Blob;
};

/** `dropped`: refused, and the user chose to leave it out. */
export type FileOutcome = {
  state: 'waiting' | 'sent' | 'refused' | 'dropped';
  /** Why it was refused or still waits, if known. */
  reason: string | null;
};

export type StoredFile = OutboxFile & FileOutcome;

export type NewEntry = {
  /** Made on the device; the server stores the same id once, however often it arrives. */
  id: string;
  /** Owner. The entry is only ever sent as this user. */
  userId: string;
  /** Selects the handler that sends it, and its queue. */
  kind: string;
  /** For the list of waiting entries, for example "Clock in, Freeport Gate". */
  title: string;
  /** Must support structured clone. Handlers parse it. */
  payload: unknown;
};

export type OutboxEntry = NewEntry & {
  /** Ascending; entries are sent in this order. */
  sequence: number;
  /** Milliseconds since 1970, by the device's clock. */
  madeAt: number;
  /** Milliseconds that the server's clock was last known to be ahead of the device's; null if never. */
  offsetMs: number | null;
  state: 'waiting' | 'refused';
  /** Why it was refused or still waits; null before the first attempt. */
  reason: string | null;
  attempts: number;
  /** The server has stored the record, and only files remain. */
  isStored?: boolean;
};

export type EntryUpdate = Partial<Pick<OutboxEntry, 'state' | 'reason' | 'attempts' | 'isStored'>>;

export const STORED_ON_PHONE =
  'Waiting to send. It is stored on this phone and will be sent as soon as there is a signal.';

/** @returns the entry as first stored, without the sequence number that the store assigns */
export function waitingEntry(
  entry: NewEntry,
  now: number,
  offsetMs: number | null,
): Omit<OutboxEntry, 'sequence'> {
  return { ...entry, madeAt: now, offsetMs, state: 'waiting', reason: null, attempts: 0 };
}

export const waitingFile = (file: OutboxFile): StoredFile => ({
  ...file,
  state: 'waiting',
  reason: null,
});

/** The content of sent and dropped files is freed. */
export const isDone = ({ state }: FileOutcome) => state === 'sent' || state === 'dropped';

export interface EntryStore {
  /** Entries last only as long as the page is open. */
  isVolatile: boolean;
  /** Does nothing if the id is known. @throws OutboxFull, and then stores nothing */
  add(entry: Omit<OutboxEntry, 'sequence'>, files: readonly OutboxFile[]): Promise<void>;
  /** All entries of the user, in sequence. */
  listOf(userId: string): Promise<OutboxEntry[]>;
  /** Users of this device who have entries. */
  listOwners(): Promise<string[]>;
  find(id: string): Promise<OutboxEntry | undefined>;
  filesOf(id: string): Promise<StoredFile[]>;
  /** Does nothing if the entry is gone. */
  update(id: string, change: EntryUpdate): Promise<void>;
  updateFile(id: string, name: string, outcome: FileOutcome): Promise<void>;
  remove(id: string): Promise<void>;
  /** A value that outlives the page, for example the clock offset. */
  getValue(name: string): Promise<unknown>;
  setValue(name: string, value: unknown): Promise<void>;
}

/** The device has no space left, or blocks storage. */
export class OutboxFull extends Error {
  override name = 'OutboxFull';
  constructor(cause: unknown) {
    super(
      'This device has no room left to store this until it is sent. Free some space, or find a signal, and try again. Nothing that was waiting is lost.',
      { cause },
    );
  }
}
