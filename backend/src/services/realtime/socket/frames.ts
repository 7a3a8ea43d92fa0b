// The Phoenix serializers 1.0.0 and 2.0.0 (Supabase docs, "Realtime Protocol"). Invalid frames are returned as undefined.
import { z } from 'zod';

export type Version = '1.0.0' | '2.0.0';
export type Ref = string | number | null;

export interface Frame {
  joinRef: Ref;
  ref: Ref;
  topic: string;
  event: string;
  payload: unknown;
  /** A broadcast received as a binary frame. */
  broadcast?: Broadcast;
}

export interface Broadcast {
  event: string;
  payload: Buffer;
  isJson: boolean;
  /** JSON text of an object, or empty. */
  meta: string;
}

const ref = z.union([z.string().max(255), z.number()]).nullish();
const topic = z.string().min(1).max(1024);
const event = z.string().min(1).max(255);

const Version1 = z
  .object({ topic, event, payload: z.unknown(), ref, join_ref: ref })
  .transform(({ join_ref = null, ref: given = null, ...frame }) => ({
    ...frame,
    joinRef: join_ref,
    ref: given,
  }));

const Version2 = z
  .tuple([ref, ref, topic, event, z.unknown()])
  .transform(([joinRef = null, given = null, name, eventName, payload]) => ({
    joinRef,
    ref: given,
    topic: name,
    event: eventName,
    payload,
  }));

/** First byte of a binary frame. */
const USER_BROADCAST_PUSH = 3;
const USER_BROADCAST = 4;
const JSON_ENCODING = 1;
const MAX_PART_BYTES = 255;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function readText(text: string, version: Version): Frame | undefined {
  const value = parseJson(text);
  return (version === '1.0.0' ? Version1 : Version2).safeParse(value).data;
}

/** A user broadcast push: `[3, five lengths, encoding]`, the five strings, the payload. */
export function readBinary(bytes: Buffer): Frame | undefined {
  if (bytes.length < 7 || bytes[0] !== USER_BROADCAST_PUSH) return undefined;
  let at = 7;
  const parts = [...bytes.subarray(1, 6)].map((length) => {
    at += length;
    return bytes.toString('utf8', at - length, at);
  });
  if (at > bytes.length) return undefined;
  const [joinRef = '', given = '', name = '', userEvent = '', meta = ''] = parts;
  if (name === '' || userEvent === '') return undefined;
  const isJson = bytes[6] === JSON_ENCODING;
  // A copy, because the buffer may belong to the socket.
  const payload = Buffer.from(bytes.subarray(at));
  if (isJson && parseJson(payload.toString()) === undefined) return undefined;
  if (meta !== '' && typeof parseJson(meta) !== 'object') return undefined;
  return {
    joinRef: joinRef || null,
    ref: given || null,
    topic: name,
    event: 'broadcast',
    payload: undefined,
    broadcast: { event: userEvent, payload, isJson, meta },
  };
}

/** @returns the frame's text before and after the payload */
export function aroundPayload(
  version: Version,
  frame: Omit<Frame, 'payload' | 'broadcast'>,
): [before: string, after: string] {
  const [joinRef, ref, topicName, eventName] = [
    frame.joinRef,
    frame.ref,
    frame.topic,
    frame.event,
  ].map((part) => JSON.stringify(part));
  if (version === '2.0.0') return [`[${joinRef},${ref},${topicName},${eventName},`, ']'];
  return [
    `{"topic":${topicName},"event":${eventName},"payload":`,
    `,"ref":${ref},"join_ref":${joinRef}}`,
  ];
}

/** @param frame with the payload as JSON text */
export function frameText(version: Version, frame: Frame & { payload: string }): string {
  const [before, after] = aroundPayload(version, frame);
  return before + frame.payload + after;
}

/** @returns undefined if the version does not support it: binary payloads in version 1.0.0 */
export function broadcastFrame(
  version: Version,
  topicName: string,
  broadcast: Broadcast,
): string | Buffer | undefined {
  const parts = [topicName, broadcast.event, broadcast.meta].map((part) => Buffer.from(part));
  if (version === '2.0.0' && parts.every((part) => part.length <= MAX_PART_BYTES)) {
    const head = [USER_BROADCAST, ...parts.map((part) => part.length), broadcast.isJson ? 1 : 0];
    return Buffer.concat([Buffer.from(head), ...parts, broadcast.payload]);
  }
  if (!broadcast.isJson) return undefined;
  const meta = broadcast.meta === '' ? '' : `,"meta":${broadcast.meta}`;
  const payload = `{"type":"broadcast","event":${JSON.stringify(broadcast.event)},"payload":${broadcast.payload}${meta}}`;
  return frameText(version, {
    joinRef: null,
    ref: null,
    topic: topicName,
    event: 'broadcast',
    payload,
  });
}

// WebSocket frames of a server (RFC 6455 section 5.2): unmasked, uncompressed. Built here instead of by the ws library,
// because a message goes to a thousand sockets: its parts are encoded once and copied into one write per socket.

export const TEXT = 1;
const BINARY = 2;
const FINAL = 0x80;

const lengthOf = (pieces: Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

function headSize(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}

function writeHead(out: Buffer, at: number, opcode: number, length: number): number {
  out[at] = FINAL | opcode;
  if (length < 126) out[at + 1] = length;
  else if (length < 65_536) {
    out[at + 1] = 126;
    out.writeUInt16BE(length, at + 2);
  } else {
    out[at + 1] = 127;
    out.writeUInt32BE(Math.floor(length / 2 ** 32), at + 2);
    out.writeUInt32BE(length % 2 ** 32, at + 6);
  }
  return at + headSize(length);
}

/** @param messages each in parts @returns the bytes of all their frames */
export function wireFrames(opcode: typeof TEXT | typeof BINARY, messages: Buffer[][]): Buffer {
  const lengths = messages.map(lengthOf);
  const size = lengths.reduce((sum, length) => sum + headSize(length) + length, 0);
  const out = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [i, pieces] of messages.entries()) {
    at = writeHead(out, at, opcode, lengths[i] ?? 0);
    for (const piece of pieces) at += piece.copy(out, at);
  }
  return out;
}

/** @returns undefined if the version does not support it */
export function broadcastWire(
  version: Version,
  topic: string,
  broadcast: Broadcast,
): Buffer | undefined {
  const frame = broadcastFrame(version, topic, broadcast);
  if (frame === undefined) return undefined;
  return typeof frame === 'string'
    ? wireFrames(TEXT, [[Buffer.from(frame)]])
    : wireFrames(BINARY, [[frame]]);
}
