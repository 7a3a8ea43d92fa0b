// The parts of the Deno API that edge functions use, implemented with Node.
import { readFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import type { Handler } from './handler.ts';
import { register } from './handler.ts';

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
