// Subscriptions whose events tests take one at a time, to assert their order and absence.
import type {
  RealtimeChannel,
  RealtimePostgresChangesPayload,
  SupabaseClient,
} from '@supabase/supabase-js';
import type { TestServer } from './server.ts';

type Row = Record<string, unknown>;
export type ChangeEvent = RealtimePostgresChangesPayload<Row>;

export interface Queue<T> {
  push(item: T): void;
  /** Takes the oldest event, or waits for one until the test times out. */
  next(): Promise<T>;
  /** Number of events not yet taken. */
  readonly length: number;
}

export function queue<T>(): Queue<T> {
  const items: T[] = [];
  const takers: ((item: T) => void)[] = [];
  return {
    get length() {
      return items.length;
    },
    push: (item) => {
      const taker = takers.shift();
      if (taker === undefined) items.push(item);
      else taker(item);
    },
    next: () => {
      const item = items.shift();
      return item !== undefined
        ? Promise.resolve(item)
        : new Promise((resolve) => {
            takers.push(resolve);
          });
    },
  };
}

export interface SystemMessage {
  extension: string;
  status: string;
  message: string;
  channel: string;
}

export interface Listening {
  channel: RealtimeChannel;
  changes: Queue<ChangeEvent>;
  system: Queue<SystemMessage>;
  /** Status and error text of the subscription, in order. */
  statuses: Queue<{ status: string; error: string | undefined }>;
  next(): Promise<ChangeEvent>;
}

export interface Wanted {
  table?: string;
  schema?: string;
  event?: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  filter?: string;
}

/** Subscribes without waiting for the outcome. */
export function listener(client: SupabaseClient, ...wanted: Wanted[]): Listening {
  const changes = queue<ChangeEvent>();
  const system = queue<SystemMessage>();
  const statuses = queue<{ status: string; error: string | undefined }>();
  const channel = client.channel(`test ${crypto.randomUUID()}`);
  channel.on('system', {}, (message: SystemMessage) => system.push(message));
  for (const { event = '*', schema = 'public', ...rest } of wanted) {
    // Each overload of `on` takes one literal event.
    channel.on('postgres_changes', { event: event as '*', schema, ...rest }, (change) =>
      changes.push(change),
    );
  }
  channel.subscribe((status, error) => statuses.push({ status, error: error?.message }));
  return { channel, changes, system, statuses, next: changes.next };
}

/** Subscribes, and resolves when the server reports that changes are live. */
export async function subscribed(client: SupabaseClient, ...wanted: Wanted[]): Promise<Listening> {
  const listening = listener(client, ...wanted);
  const { status, error } = await listening.statuses.next();
  if (status !== 'SUBSCRIBED') throw new Error(`${status}: ${error}`);
  const message = await listening.system.next();
  if (message.status !== 'ok') throw new Error(message.message);
  return listening;
}

/**
 * A client with a self-made token of a signed-in user.
 * @param lifetime seconds until the token expires
 */
export async function userClient(
  server: TestServer,
  sub: string,
  lifetime = 3600,
): Promise<SupabaseClient> {
  const client = server.client();
  const exp = Math.floor(Date.now() / 1000) + lifetime;
  const claims = { sub, role: 'authenticated', aud: 'authenticated', exp };
  await client.realtime.setAuth(await server.context.keys.sign(claims));
  return client;
}
