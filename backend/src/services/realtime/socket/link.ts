// What a channel needs of its socket.
import type { Broadcast, Frame, Version } from './frames.ts';

export type OutgoingFrame = Frame & { payload: string };

export interface SocketLink {
  readonly version: Version;
  send(frame: OutgoingFrame): void;
  sendBroadcast(topic: string, broadcast: Broadcast): void;
  /** @param frames as `broadcastWire` made them, shared with other sockets of the same version */
  sendWire(frames: Buffer): void;
  /** @param messages text frames in UTF-8, each in pieces that other sockets may share */
  sendPieces(messages: Buffer[][]): void;
}
