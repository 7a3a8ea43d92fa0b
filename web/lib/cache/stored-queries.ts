// The last answers that each person got, in this browser's IndexedDB: what is shown to that person without a network.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

export type KeptAnswer = {
  userId: string;
  /** The query's key as text. */
  hash: string;
  queryKey: readonly unknown[];
  data: unknown;
  /** When it was loaded, milliseconds since 1970. */
  updatedAt: number;
};

interface KeptSchema extends DBSchema {
  answers: { key: [string, string]; value: KeptAnswer; indexes: { userId: string } };
}

const NAME = 'last-seen';
/** Raise it when the data of a kept query changes its shape: what older versions kept is then thrown away. */
const VERSION = 1;

let opened: Promise<IDBPDatabase<KeptSchema>> | undefined;

function database() {
  opened ??= openDB<KeptSchema>(NAME, VERSION, {
    upgrade(db) {
      for (const name of db.objectStoreNames) db.deleteObjectStore(name);
      const answers = db.createObjectStore('answers', { keyPath: ['userId', 'hash'] });
      answers.createIndex('userId', 'userId');
    },
    // A newer version of the app in another tab must not wait for this one.
    blocking: (_current, _next, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
      opened = undefined;
    },
    terminated: () => {
      opened = undefined;
    },
  });
  return opened;
}

/** @returns what this person was shown last */
export async function readKept(userId: string): Promise<KeptAnswer[]> {
  return (await database()).getAllFromIndex('answers', 'userId', userId);
}

export async function keep(answer: KeptAnswer): Promise<void> {
  await (await database()).put('answers', answer);
}

/** Removes what everybody else was shown; of everybody, where nobody is signed in. */
export async function forgetOthers(userId: string | undefined): Promise<void> {
  const store = (await database()).transaction('answers', 'readwrite').store;
  for (let cursor = await store.openCursor(); cursor; cursor = await cursor.continue()) {
    if (cursor.value.userId !== userId) await cursor.delete();
  }
}
