// Messages between the server and a function's worker. Plain values, because they are copied.

/** Streams a body, in either direction. */
export type BodyMessage =
  | { kind: 'chunk'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  | { kind: 'broken'; id: number }
  /** Credit for one more chunk. */
  | { kind: 'more'; id: number }
  /** The reader has cancelled the stream. */
  | { kind: 'enough'; id: number };

export type Headers = [name: string, value: string][];

export interface CallMessage {
  kind: 'call';
  id: number;
  requestId: string;
  method: string;
  url: string;
  headers: Headers;
  hasBody: boolean;
  remote: { hostname: string; port: number };
}

export interface ResponseMessage {
  kind: 'response';
  id: number;
  status: number;
  statusText: string;
  headers: Headers;
  hasBody: boolean;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type ToThread =
  | CallMessage
  | BodyMessage
  | { kind: 'cancel'; id: number }
  | { kind: 'ping' };

export type FromThread =
  | { kind: 'ready' }
  | ResponseMessage
  | BodyMessage
  /** The handler threw before responding. */
  | { kind: 'failed'; id: number; stack: string }
  | { kind: 'log'; level: LogLevel; text: string; requestId: string | undefined }
  | { kind: 'pong' }
  | { kind: 'memory'; bytes: number };
