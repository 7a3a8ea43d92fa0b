// What a channel needs of its socket.
import type { Broadcast, Frame, Version } from './frames.ts';

export type OutgoingFrame = Frame & { payload: string };

export interface SocketLink {
  readonly version: Version;
  send(frame: OutgoingFrame): void;
  sendBroadcast(topic: string, broadcast: Broadcast): void;
}
