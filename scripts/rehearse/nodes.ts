// The nodes of the rehearsal, and the proxy before them.
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { end, findProgram, freePort, run, until } from './programs.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const START_MS = 180_000;
const PROXY_MS = 60_000;

export class Node {
  #child: ChildProcess | undefined;

  constructor(
    readonly name: string,
    readonly port: number,
    private readonly env: Record<string, string>,
    private readonly folder: string,
  ) {}

  /** @returns milliseconds until it is ready */
  async start(): Promise<number> {
    this.#child = run(process.execPath, ['scripts/start.mjs'], {
      log: path.join(this.folder, `${this.name}.log`),
      env: { ...this.env, DATA_DIR: path.join(this.folder, this.name), PORT: String(this.port) },
    });
    const ready = async () => (await fetch(`http://127.0.0.1:${this.port}/readyz`)).ok;
    return until(`the start of ${this.name}`, START_MS, ready);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#child) await end(this.#child, signal);
  }
}

/** @returns a JWKS with a new signing key, for JWT_KEYS */
export async function keySet(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = {
    ...(await exportJWK(privateKey)),
    kid: crypto.randomUUID(),
    alg: 'ES256',
    use: 'sig',
  };
  return JSON.stringify({ keys: [key] });
}

/** nginx as in deploy/nginx, with the rehearsal's ports and without TLS. */
export async function startProxy(folder: string, nodes: Node[]): Promise<string> {
  const nginx = findProgram('nginx', ['/usr/sbin'], 'nginx');
  const port = await freePort();
  const work = path.join(folder, 'nginx');
  mkdirSync(work);
  const site = readFileSync(path.join(ROOT, 'deploy', 'nginx', 'site.conf'), 'utf8');
  const [shared = ''] = site.split(/^server \{$/m);
  const upstreams = nodes.reduce(
    (text, { port: own }, n) => text.replaceAll(`127.0.0.1:${3001 + n}`, `127.0.0.1:${own}`),
    shared,
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${work}/${kind};`)
    .join('\n');
  writeFileSync(
    path.join(work, 'nginx.conf'),
    `daemon off; pid ${work}/pid; error_log ${work}/error.log warn; worker_processes 1;
events { worker_connections 1024; }
http {
access_log off;
${temporary}
${upstreams}
server {
  listen 127.0.0.1:${port};
  include ${path.join(ROOT, 'deploy', 'nginx', 'proxy.conf')};
}
}`,
  );
  run(nginx, ['-p', work, '-c', path.join(work, 'nginx.conf'), '-e', `${work}/error.log`], {
    log: path.join(work, 'output.log'),
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the start of nginx', PROXY_MS, async () => (await fetch(`${url}/healthz`)).ok);
  return url;
}
