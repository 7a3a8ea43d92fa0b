// A failed start prints one clear sentence, exits with code 1 and damages nothing.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startCluster } from '#backend/database/embedded/cluster.ts';
import { bareStart, emptyFolder, ended, kill, started, stopped } from './program.ts';

/** The server without the checks of `npm start`: what follows it is ignored. */
const UNCHECKED = [
  process.execPath,
  '--input-type=module',
  '--eval',
  `import { main } from './dist/server/main.js'; await main(process.cwd(), []);`,
  '--',
];

/** Output without progress lines. */
function complaint(output: string): string {
  return output
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('  '))
    .join('\n');
}

describe('a failed start', () => {
  it('names the process that already uses the data directory', async () => {
    const DATA_DIR = await emptyFolder();
    const first = await started({ DATA_DIR });
    const second = await ended({ DATA_DIR });
    expect(second.code).toBe(1);
    expect(complaint(second.output)).toBe(
      `Another server (process ${first.child.pid}) is running on ${DATA_DIR} at ${first.url}. Stop it first, or set DATA_DIR and PORT to start a second one: DATA_DIR=./data-2 PORT=1 npm start`,
    );
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  it('names the port that is in use before it makes anything', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const DATA_DIR = await emptyFolder();
    const { code, output } = await ended({ DATA_DIR, PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(complaint(output)).toBe(
      `Port ${port} is taken by another program. Stop it, or start with another port: PORT=${port + 1} npm start`,
    );
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  it('for a word that it does not know starts nothing', async () => {
    const DATA_DIR = await emptyFolder();
    const { code, output } = await ended({ DATA_DIR }, [], ['--help']);
    expect(code).toBe(1);
    expect(complaint(output)).toBe(
      'npm start knows no "--help". It takes nothing, or keys: docs/operations.md',
    );
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  it.each([
    [
      'an unreachable database',
      'postgres://nobody@127.0.0.1:1/none',
      /can't be reached \(ECONNREFUSED\)/,
    ],
    ['an invalid database URL', 'somewhere', /is not an address like postgres:/],
  ])('explains %s', async (_, url, expected) => {
    const { code, output } = await ended({ DATA_DIR: await emptyFolder(), DATABASE_URL: url });
    expect(code).toBe(1);
    expect(complaint(output)).toMatch(expected);
    expect(complaint(output).split('\n')).toHaveLength(1);
  });

  it('explains a wrong password, a missing database and an outdated database', async () => {
    const cluster = await startCluster({ dataDir: await emptyFolder() });
    const { user, password, host, port } = cluster.connection;
    const url = (secret: unknown, name: string): string =>
      `postgres://${user}:${secret}@${host}:${port}/${name}`;
    const owner = new pg.Client(cluster.connection);
    await owner.connect();
    // The real server, reporting an old version.
    await owner.query('create database aged');
    await owner.query('alter database aged set search_path = pretence, pg_catalog');
    await owner.end();
    const aged = new pg.Client({ ...cluster.connection, database: 'aged' });
    await aged.connect();
    await aged.query('create schema pretence');
    await aged.query(`create function pretence.current_setting(name text) returns text language sql
      return case name when 'server_version_num' then '140012' else '14.12' end`);
    await aged.end();

    const cases: [string, RegExp][] = [
      [url('wrong', 'postgres'), /refuses the user or the password/],
      [url(password, 'nowhere'), /does not exist/],
      [url(password, 'aged'), /is PostgreSQL 14\.12\. Use version 15 or newer\./],
    ];
    for (const [DATABASE_URL, expected] of cases) {
      const { code, output } = await ended({ DATA_DIR: await emptyFolder(), DATABASE_URL });
      expect(code).toBe(1);
      expect(complaint(output)).toMatch(expected);
    }
    await cluster.stop();
  });

  it('explains a data directory that is not writable', async () => {
    const file = path.join(await emptyFolder(), 'a-file');
    await writeFile(file, '');
    const { code, output } = await ended({ DATA_DIR: path.join(file, 'data') });
    expect(code).toBe(1);
    expect(complaint(output)).toMatch(
      /^DATA_DIR .* can't be written \(ENOTDIR\)\. Give this account write access/,
    );
  });

  it.each([
    [{ PORT: 'many' }, /^The setting PORT is not usable/],
    [{ HOST: '0.0.0.0', DEMO: 'on' }, /^DEMO=on creates accounts with a published password/],
    [
      { SITE_URL: 'https://guards.example', DEMO: 'on', MAIL: 'outbox' },
      /^DEMO=on creates accounts .* not with SITE_URL=https:\/\/guards\.example\./,
    ],
    [{ TRUST_PROXY: 'on', DEMO: 'on' }, /^DEMO=on creates accounts .* not with TRUST_PROXY=on\./],
    [
      { SITE_URL: 'https://guards.example', TRUST_PROXY: 'on', DEMO: 'on' },
      /not with SITE_URL=https:\/\/guards\.example and TRUST_PROXY=on\./,
    ],
    [
      { SITE_URL: 'https://guards.example' },
      /^Mail needs a server with SITE_URL=https:\/\/guards\.example\. Set SMTP_URL, or MAIL=outbox/,
    ],
    [{ MAIL: 'smtp' }, /^Mail needs a server with MAIL=smtp\./],
    [{ JWT_KEYS: '{"keys":[]}' }, /^JWT_KEYS is not a JWKS of signing keys/],
    [
      { JWT_KEYS: '[{"kty":"EC","crv":"P-256","kid":"k","alg":"ES256","x":"?","y":"?","d":"?"}]' },
      /^JWT_KEYS is not a JWKS of signing keys/,
    ],
    [
      { JWT_SECRET: 'short' },
      /^The setting JWT_SECRET is not usable: must be at least 32 characters/,
    ],
  ])('explains the settings %o', async (env, expected) => {
    const { code, output } = await ended({ DATA_DIR: await emptyFolder(), ...env } as Record<
      string,
      string
    >);
    expect(code).toBe(1);
    expect(complaint(output)).toMatch(expected);
    expect(complaint(output).split('\n')).toHaveLength(1);
  });

  it('does not happen with signing keys that list key_ops', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'given', alg: 'ES256', use: 'sig' };
    const JWT_KEYS = JSON.stringify({ keys: [{ ...key, key_ops: ['sign', 'verify'], ext: true }] });
    const { url } = await started({ ...(await bareStart()), JWT_KEYS });
    const { supabaseAnonKey } = (await (await fetch(`${url}/app-config.json`)).json()) as {
      supabaseAnonKey: string;
    };
    const read = await fetch(`${url}/rest/v1/`, {
      headers: { authorization: `Bearer ${supabaseAnonKey}` },
    });
    expect(read.status).toBe(200);
    const published = await (await fetch(`${url}/auth/v1/.well-known/jwks.json`)).text();
    expect(JSON.parse(published)).toMatchObject({ keys: [{ kid: 'given', key_ops: ['verify'] }] });
    expect(published).not.toContain('"d"');
  });

  it('names a missing or damaged part of the data directory, and changes nothing there', async () => {
    const env = await bareStart();
    await kill((await started(env)).child, 'SIGTERM');
    const keys = path.join(env.DATA_DIR, 'keys');
    const refused = async (expected: RegExp): Promise<void> => {
      const { code, output } = await ended(env);
      expect(code).toBe(1);
      expect(complaint(output)).toMatch(expected);
      expect(complaint(output).split('\n')).toHaveLength(1);
    };

    const password = path.join(keys, 'postgres-password');
    await rename(password, `${password}.away`);
    await refused(
      /keys\/postgres-password, the password of the database in DATA_DIR, is missing\./,
    );
    await writeFile(password, 'another');
    await refused(/^The database in DATA_DIR refuses the password in keys\/postgres-password\./);
    expect(await readdir(path.join(env.DATA_DIR, 'postgres'))).not.toContain('postmaster.pid');
    await rename(`${password}.away`, password);

    const signing = path.join(keys, 'jwt.json');
    const whole = await readFile(signing, 'utf8');
    for (const damaged of ['{"keys":[', '{}', whole.replace(/"d":"[^"]+"/, '"d":"?"')]) {
      await writeFile(signing, damaged);
      await refused(/keys\/jwt\.json is damaged\. Restore it from a backup, or remove it/);
    }
    await writeFile(signing, whole);
    await stopped((await started(env)).child);
  });

  it.each([
    ['a folder with other content', 'postgres/notes.txt'],
    ['a file', 'postgres'],
  ])('names a database that is %s', async (_what, file) => {
    const env = await bareStart();
    const target = path.join(env.DATA_DIR, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, 'mine');
    const { code, output } = await ended(env);
    expect(code).toBe(1);
    expect(complaint(output)).toMatch(/postgres is not a PostgreSQL database\. Restore it/);
    expect(complaint(output).split('\n')).toHaveLength(1);
    expect(await readFile(target, 'utf8')).toBe('mine');
  });

  // Mounting the small disk needs root.
  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'explains a disk without space, and one that is full while the database is created, and starts once there is space',
    async () => {
      const DATA_DIR = await emptyFolder();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m,mode=755', 'tmpfs', DATA_DIR]);
      try {
        const checked = await ended({ DATA_DIR });
        expect(checked.code).toBe(1);
        expect(complaint(checked.output)).toMatch(/^This start needs about \d+ MB .* 12 MB free/);
        expect(await readdir(DATA_DIR)).toEqual([]);
        const { code, output } = await ended({ DATA_DIR }, UNCHECKED);
        expect(code).toBe(1);
        expect(complaint(output)).toMatch(/^The disk is full/);
        expect(await readdir(DATA_DIR)).not.toContain('postgres');
        execFileSync('mount', ['-o', 'remount,size=400m', DATA_DIR]);
        const { child } = await started({ DATA_DIR });
        await stopped(child);
      } finally {
        execFileSync('umount', [DATA_DIR]);
      }
    },
  );
});

describe('a demo database', () => {
  it('is not opened in production, and a production database gets no demo accounts', async () => {
    const demo = await emptyFolder();
    await kill((await started({ DATA_DIR: demo, DEMO: 'on' })).child, 'SIGTERM');
    const opened = await ended({ DATA_DIR: demo, DEMO: 'off' });
    expect(opened.code).toBe(1);
    expect(complaint(opened.output)).toMatch(/^This database holds the demo accounts/);
    const proxied = await ended({ DATA_DIR: demo, DEMO: '', TRUST_PROXY: 'on' });
    expect(proxied.code).toBe(1);
    expect(complaint(proxied.output)).toMatch(/^The demo \(on unless DEMO=off\) creates accounts/);

    const production = await emptyFolder();
    await kill((await started({ DATA_DIR: production, DEMO: 'off' })).child, 'SIGTERM');
    const { url } = await started({ DATA_DIR: production, DEMO: 'on' });
    const config = (await (await fetch(`${url}/app-config.json`)).json()) as {
      supabaseAnonKey: string;
    };
    const signIn = await fetch(`${url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: config.supabaseAnonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@statesman.example', password: 'Statesman-Demo-1' }),
    });
    expect(signIn.status).toBe(400);
    // A demo company and five starts.
  }, 300_000);
});
