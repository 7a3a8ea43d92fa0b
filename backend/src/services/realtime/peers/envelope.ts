// What the processes on one database tell each other: a JSON head and raw bytes, written to the database's log with
// pg_logical_emit_message and read by each from its own stream of changes. No table grows by it, and no size limits it.
import { z } from 'zod';

/** Marks our messages among those of other programs. */
export const PREFIX = 'statesman_realtime';

const Place = { topic: z.string(), private: z.boolean() };
const Present = z.object({
  ...Place,
  /** Of the entry, the same for as long as its channel lives. */
  id: z.string(),
  key: z.string(),
  meta: z.looseObject({ phx_ref: z.string() }),
});
export type Present = z.infer<typeof Present>;

const Head = z.discriminatedUnion('kind', [
  /** The sender's stream has begun: whoever hears it introduces itself. */
  z.object({ kind: z.literal('hello'), from: z.string(), slot: z.string() }),
  /** Answers a hello with everything that is present at the sender. */
  z.object({
    kind: z.literal('here'),
    from: z.string(),
    slot: z.string(),
    to: z.string(),
    present: z.array(Present),
  }),
  z.object({ kind: z.literal('bye'), from: z.string() }),
  z.object({
    kind: z.literal('broadcast'),
    from: z.string(),
    ...Place,
    event: z.string(),
    isJson: z.boolean(),
    meta: z.string(),
  }),
  /** Somebody came or changed (`meta`), or went (none). */
  z.object({
    kind: z.literal('presence'),
    from: z.string(),
    ...Place,
    id: z.string(),
    key: z.string(),
    meta: Present.shape.meta.nullable(),
  }),
]);
export type Head = z.infer<typeof Head>;

const LENGTH_BYTES = 4;

export function seal(head: Head, payload: Buffer = Buffer.alloc(0)): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, payload]);
}

/** @returns undefined for what another version, or somebody else, has written */
export function unseal(content: Buffer): { head: Head; payload: Buffer } | undefined {
  if (content.length < LENGTH_BYTES) return undefined;
  const end = LENGTH_BYTES + content.readUInt32BE();
  if (end > content.length) return undefined;
  try {
    const { data } = Head.safeParse(JSON.parse(content.toString('utf8', LENGTH_BYTES, end)));
    return data && { head: data, payload: content.subarray(end) };
  } catch {
    return undefined;
  }
}
