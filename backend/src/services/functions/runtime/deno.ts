import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { format, inspect } from 'node:util';
import type { FromThread, LogLevel } from '../messages.ts';

export interface Info {
  remoteAddr: { hostname: string; port: number; transport: 'tcp' };
  completed: Promise<void>;
}
export type Handler = (request: Request, info: Info) => Response | Promise<Response>;
type OnError = (error: unknown) => Response | Promise<Response>;

let current: { handler: Handler; onError: OnError | undefined } | undefined;

export function register(handler: Handler, onError?: OnError): void {
  current = { handler, onError };
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

/** Instead of calling Deno.serve, a module may export `{ fetch }` as its default. */
export function registerDefault(module: Record<string, unknown>): void {
  const exported = module.default;
  if (current !== undefined || typeof exported !== 'object' || exported === null) return;
  if ('fetch' in exported && isHandler(exported.fetch)) register(exported.fetch.bind(exported));
}

export function hasHandler(): boolean {
  return current !== undefined;
}

/** @throws the handler's error, unless it has an `onError` */
export async function handle(request: Request, info: Info): Promise<Response> {
  if (current === undefined) throw new Error('The function never called Deno.serve.');
  try {
    return await current.handler(request, info);
  } catch (error) {
    if (current.onError === undefined) throw error;
    return current.onError(error);
  }
}

/** The id of the request being handled. */
export const requests = new AsyncLocalStorage<string>();

const LEVELS: Record<'debug' | 'log' | 'info' | 'warn' | 'error', LogLevel> = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
};
const MAX_LINE_LENGTH = 10_000;

/** Sends console output to the server's log, with the id of its request. */
export function sendConsoleTo(send: (message: FromThread) => void): void {
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    console[method] = (...parts: unknown[]) => {
      const text = format(...parts).slice(0, MAX_LINE_LENGTH);
      send({ kind: 'log', level: LEVELS[method], text, requestId: requests.getStore() });
    };
  }
}

// The parts of the Deno API that edge functions use, implemented with Node.
type Path = string | URL;
interface ServeOptions {
  handler?: Handler;
  fetch?: Handler;
  onError?: (error: unknown) => Response | Promise<Response>;
  onListen?: (address: { hostname: string; port: number; transport: 'tcp' }) => void;
}

const ADDRESS = { hostname: '0.0.0.0', port: 0, transport: 'tcp' } as const;

/** `Deno.serve(handler)`, `Deno.serve(options, handler)` and `Deno.serve({ handler })`. */
export function serve(first: Handler | ServeOptions, second?: Handler): unknown {
  const options = typeof first === 'function' ? {} : first;
  const handler =
    typeof first === 'function' ? first : (second ?? options.handler ?? options.fetch);
  if (typeof handler !== 'function') throw new TypeError('Deno.serve needs a handler.');
  register(handler, options.onError);
  options.onListen?.(ADDRESS);
  return {
    addr: ADDRESS,
    finished: new Promise<void>(() => {}),
    shutdown: async () => {},
    ref: () => {},
    unref: () => {},
  };
}

const env = {
  get: (name: string) => process.env[name],
  has: (name: string) => process.env[name] !== undefined,
  toObject: () => ({ ...process.env }),
  set: (name: string, value: string) => {
    process.env[name] = value;
  },
  delete: (name: string) => {
    delete process.env[name];
  },
};

class NotFound extends Error {}
class PermissionDenied extends Error {}
class InvalidData extends Error {}

export const Deno = {
  serve,
  env,
  args: [],
  noColor: true,
  pid: process.pid,
  version: { deno: '2.1.4', v8: process.versions.v8, typescript: '5.6.2' },
  build: {
    os: process.platform,
    arch: process.arch,
    target: `${process.arch}-${process.platform}`,
  },
  errors: { NotFound, PermissionDenied, InvalidData },
  cwd: () => process.cwd(),
  exit: (code?: number) => process.exit(code),
  inspect,
  memoryUsage: () => process.memoryUsage(),
  readFile: async (path: Path) => new Uint8Array(await readFile(path)),
  readTextFile: (path: Path) => readFile(path, 'utf8'),
  readTextFileSync: (path: Path) => readFileSync(path, 'utf8'),
  writeTextFile: (path: Path, text: string) => writeFile(path, text),
  stat: (path: Path) => stat(path),
};
