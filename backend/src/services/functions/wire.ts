// What the server and a function's thread say to each other. Plain values: they are copied from thread to thread.

/** A piece of a body, and how its reader asks for more; in both directions. */
export type BodyMessage =
  | { kind: 'chunk'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  | { kind: 'broken'; id: number }
  /** The reader has room for one more chunk. */
  | { kind: 'more'; id: number }
  /** The reader wants no more. */
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

export interface AnswerMessage {
  kind: 'answer';
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
  | AnswerMessage
  | BodyMessage
  /** The handler threw: no answer came of this call. */
  | { kind: 'failed'; id: number; stack: string }
  | { kind: 'log'; level: LogLevel; text: string; requestId: string | undefined }
  | { kind: 'pong' }
  | { kind: 'memory'; bytes: number };
