// The product as `npm start` runs it, and what it logs.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { runningConnection } from '#backend/database/embedded/postmaster.ts';
import type { ChangeableFacts, Facts } from './invariant.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const run = promisify(execFile);
/** Of the gateway that delivers text messages. */
export const MESSAGES_SECRET = 'the gateway of a simulated company';
const RECOVERY_MS = 60_000;
const WARNING = 40;
/** The product warns of it where mail has no server. */
const IN_OUTBOX = 'mail written to the outbox';
const FIRST_SERVER_ERROR = 500;

export interface ProductOptions {
  port: number;
  dataDir: string;
  clockFile: string;
  /** Beside that of this process. */
  env?: NodeJS.ProcessEnv;
}

export class Product implements Facts {
  #child: ChildProcess | undefined;
  #pool: pg.Pool | undefined;
  #rest = '';
  #paths = new Map<string, string>();
  /** Lines since the last look: warnings, errors and requests that failed in the server. */
  #bad: string[] = [];
  url = '';
  /** Requests that were answered. */
  requests = 0;

  constructor(readonly options: ProductOptions) {}

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  get #env(): NodeJS.ProcessEnv {
    const { port, dataDir, clockFile, env } = this.options;
    return {
      ...process.env,
      ...env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DEMO: 'off',
      CLOCK_FILE: clockFile,
      LOG_LEVEL: 'info',
      MESSAGES_SECRET,
      // Nobody is answered while it stops.
      DRAIN_SECONDS: '0',
      BACKUP_PASSPHRASE: 'a passphrase for the backups of a simulated company',
    };
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: ROOT,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let said = '';
    this.url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        const text = chunk.toString();
        said += text;
        this.readLog(text);
        const ready = /Ready at (http\S+)/.exec(said)?.[1];
        if (ready !== undefined) {
          said = '';
          resolve(ready);
        }
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', () => reject(new Error(`The product did not start:\n${said}`)));
    });
    // After an outage sessions go on at the same address.
    this.options.port = Number(new URL(this.url).port);
    await this.#openPool();
    // A life survives killed processes, not a machine without power: waiting for the disk would be most of its time.
    await this.sql('alter system set fsync = off');
    await this.sql('select pg_reload_conf()');
  }

  async #openPool(): Promise<void> {
    this.#pool = new pg.Pool({ ...(await runningConnection(this.options.dataDir)), max: 3 });
    // The pool loses its connections when PostgreSQL is killed.
    this.#pool.on('error', () => {});
  }

  /** Kills PostgreSQL under the running server, and waits until the server has started it again and is ready. */
  async killDatabase(): Promise<void> {
    const file = path.join(this.options.dataDir, 'postgres', 'postmaster.pid');
    const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
    await this.#pool?.end();
    process.kill(pid, 'SIGKILL');
    const until = performance.now() + RECOVERY_MS;
    while (!(await this.#hasRecovered(pid, file))) {
      if (performance.now() > until)
        throw new Error('PostgreSQL was killed, and did not start again.');
      await pause(50);
    }
    await this.#openPool();
    // What was running when it was killed.
    this.takeComplaints();
  }

  async #hasRecovered(killed: number, file: string): Promise<boolean> {
    const text = await readFile(file, 'utf8').catch(() => '');
    const pid = Number(text.split('\n')[0]);
    if (pid === 0 || pid === killed || !/\n\s*ready\s*$/.test(text)) return false;
    const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
    return answer?.ok === true;
  }

  /** Backs the running product up, and starts again from the archive in an empty folder. */
  async restoreBackup(): Promise<void> {
    const { dataDir } = this.options;
    const folder = `${dataDir}-backups`;
    await mkdir(folder, { recursive: true });
    const printed = await this.command('scripts/backup.ts', 'create', '--to', folder);
    const archive = printed.trim().split('\n').at(-1) ?? '';
    await this.stop();
    await rm(dataDir, { recursive: true });
    await mkdir(dataDir);
    await this.command('scripts/backup.ts', 'restore', archive);
    await rm(folder, { recursive: true });
    await this.start();
  }

  /** As the superuser, for checks that must not rely on the product's functions. */
  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (!this.#pool) throw new Error('The product is not running.');
    return (await this.#pool.query<Row>(text, values)).rows;
  }

  /** As `sql`, in a transaction without triggers and foreign keys that is rolled back. */
  async rolledBack<Result>(work: (facts: ChangeableFacts) => Promise<Result>): Promise<Result> {
    if (!this.#pool) throw new Error('The product is not running.');
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      await client.query('set local session_replication_role = replica');
      return await work({
        sql: async (text, values = []) => (await client.query(text, values)).rows,
        change: async (text) => (await client.query(text)).rowCount ?? 1,
      });
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  /** @returns what ends it */
  async leaveTransactionOpen(): Promise<() => Promise<void>> {
    if (!this.#pool) throw new Error('The product is not running.');
    const client = await this.#pool.connect();
    await client.query('begin');
    return async () => {
      await client.query('rollback');
      client.release();
    };
  }

  /** An operator's command beside the running product. @returns what it printed */
  async command(script: string, ...args: string[]): Promise<string> {
    const { stdout } = await run(process.execPath, ['scripts/run.mjs', script, ...args], {
      cwd: ROOT,
      env: this.#env,
    });
    return stdout;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    await this.#pool?.end();
    this.#pool = undefined;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Work that is due by the moved clock begins at once, not with the server's next look at the clock. */
  noticeClock(): void {
    this.#child?.kill('SIGUSR2');
  }

  /** @returns what the log has had to complain about since the last call */
  takeComplaints(): string[] {
    return this.#bad.splice(0);
  }

  readLog(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) this.#note(line);
  }

  #note(line: string): void {
    const entry = JSON.parse(line);
    const { reqId, req, res, level, msg, err } = entry;
    if (req) this.#paths.set(reqId, `${req.method} ${req.path}`);
    if (res) {
      this.requests += 1;
      if (res.statusCode >= FIRST_SERVER_ERROR)
        this.#bad.push(`${this.#paths.get(reqId)} answered ${res.statusCode}`);
      this.#paths.delete(reqId);
    }
    if (level >= WARNING && msg !== IN_OUTBOX)
      this.#bad.push(`${msg} ${err?.message ?? ''} ${line.slice(0, 600)}`);
  }
}
