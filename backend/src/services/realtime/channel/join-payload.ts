// The payload of phx_join (Supabase docs, "Realtime Protocol").
import { z } from 'zod';
import { FilterError, parseFilter } from '../changes/filter.ts';
import type { ChangeType } from '../changes/pgoutput.ts';
import type { Subscriber, Subscription } from '../changes/subscriptions.ts';
import { BINDINGS_PER_CHANNEL, REPLAYED_MESSAGES } from '../limits.ts';

const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

const Replay = z.object({
  /** Milliseconds since 1970. */
  since: z.number().min(0).max(8.64e15),
  limit: z.number().int().min(1).max(REPLAYED_MESSAGES).nullish(),
});

const Config = z.object({
  broadcast: z
    .object({ ack: flag, self: flag, replication_ready: flag, replay: Replay.nullish() })
    .nullish(),
  presence: z.object({ key: z.string().max(255).nullish(), enabled: flag }).nullish(),
  postgres_changes: z
    .array(z.record(z.string(), z.unknown()))
    .max(BINDINGS_PER_CHANNEL)
    .nullish()
    .transform((value) => value ?? []),
  private: flag,
});

export const JoinPayload = z.object({
  config: Config.nullish().transform((value) => value ?? Config.parse({})),
  access_token: z.string().nullish(),
});

export type JoinConfig = z.infer<typeof Config>;
export type Binding = JoinConfig['postgres_changes'][number];

let lastId = 0;

/** @returns an id that is unique in this process */
export function nextBindingId(): number {
  lastId = (lastId % 0x7fffffff) + 1;
  return lastId;
}

function eventOf(value: unknown): ChangeType | '*' {
  const name = typeof value === 'string' ? value.toUpperCase() : '*';
  return name === 'INSERT' || name === 'UPDATE' || name === 'DELETE' ? name : '*';
}

const isText = (value: unknown): value is string | undefined | null =>
  value === undefined || value === null || typeof value === 'string';

/** @throws FilterError whose message is sent to the client */
export function subscriptionOf(subscriber: Subscriber, id: number, binding: Binding): Subscription {
  const { schema, table, filter, select } = binding;
  if (!isText(schema) || !isText(table) || !isText(filter) || (!schema && !table)) {
    throw new FilterError(
      `No subscription params provided. Please provide at least a \`schema\` or \`table\` to subscribe to: ${JSON.stringify(binding)}`,
    );
  }
  const columns = Array.isArray(select) ? select.filter((name) => typeof name === 'string') : [];
  if (select !== undefined && select !== null && !Array.isArray(select)) {
    throw new FilterError(
      'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
    );
  }
  if (JSON.stringify(binding).includes('\\u0000')) {
    throw new FilterError('Subscription params may not hold a NUL character');
  }
  const isWild = schema === '*' || !table || table === '*';
  if (isWild && columns.length > 0) {
    throw new FilterError(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    );
  }
  const conditions = parseFilter(filter ?? '');
  const selected = columns.length > 0 ? columns : undefined;
  return {
    subscriber,
    id,
    event: eventOf(binding.event),
    schema: schema || 'public',
    table: schema === '*' ? '*' : table || '*',
    filter: conditions,
    filterKey: conditions.length > 0 ? JSON.stringify(conditions) : '',
    select: selected,
    selectKey: JSON.stringify(selected ?? null),
    since: undefined,
  };
}
