// WebSocket frames of a server (RFC 6455 section 5.2): unmasked, uncompressed. Built here instead of by the ws library,
// because a message goes to a thousand sockets: its parts are encoded once and copied into one write per socket.
import { type Broadcast, broadcastFrame, type Version } from './frames.ts';

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
