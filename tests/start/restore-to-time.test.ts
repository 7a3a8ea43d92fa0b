// Restores to a point in time, by the commands that an operator types.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { PDF } from 'supabase-in-node/testing/samples';
import { describe, expect, it } from 'vitest';
import {
  asOwner,
  BACKUP_PASSPHRASE,
  command,
  connect,
  expectRefusal,
  lastLine,
  SITE_URL,
} from './backup-commands.ts';
import { bareStart, emptyFolder, ended, kill, started, stopped } from './program.ts';

const walSettings = (BACKUP_DIR: string) => ({ BACKUP_DIR, BACKUP_PASSPHRASE, BACKUP_WAL: 'on' });

/** @returns absolute paths of the bases and segments in the folder of archives */
async function savedIn(folder: string, ending: '.base' | '.wal'): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => path.join(folder, name));
}

const baseIn = (folder: string) =>
  expect.poll(async () => (await savedIn(folder, '.base')).length, { timeout: 90_000 });

/** The database's clock. */
const timeIn = (dataDir: string): Promise<string> =>
  asOwner(dataDir, async (client) => {
    const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
    return rows[0]?.at.toISOString() ?? '';
  });

/** Ends the current segment, with a commit in it, so that it is saved now. */
const endSegment = (dataDir: string) =>
  asOwner(dataDir, async (client) => {
    await client.query('select pg_current_xact_id()');
    await client.query('select pg_switch_wal()');
  });

describe('a restore to a point in time', () => {
  it('brings back what was committed before, with files, keys and sessions, and nothing after', async () => {
    const DATA_DIR = await emptyFolder();
    const folder = await emptyFolder();
    const first = await started({ DATA_DIR, SITE_URL, ...walSettings(folder) });
    await baseIn(folder).toBe(1);
    // What receives the changes is no replica.
    const metrics = await (await fetch(`${first.url}/metrics`)).text();
    expect(metrics).toMatch(/^db_replicas 0$/m);
    expect(metrics).toMatch(/^backup_wal_unsaved_bytes \d+$/m);
    // The first segment is saved after the base, or a minute later.
    const saved = async () =>
      (
        (await (await fetch(`${first.url}/readyz`)).json()) as {
          savedChanges: { until: string | null; ageSeconds: number | null };
        }
      ).savedChanges;
    await expect.poll(async () => (await saved()).until, { timeout: 90_000 }).not.toBeNull();
    expect((await saved()).ageSeconds).toBeLessThan(180);
    expect(await (await fetch(`${first.url}/metrics`)).text()).toMatch(
      /^backup_wal_age_seconds \d+$/m,
    );
    const guard = await connect(first.url);
    const { data } = await guard.auth.signUp({
      email: 'guard@test.example',
      password: 'correct-horse-7',
    });
    const session = data.session;
    if (session === null) throw new Error('no session');
    const addSite = (name: string) =>
      asOwner(DATA_DIR, (client) =>
        client.query(
          `insert into public.sites (id, name, client_name, address) values (gen_random_uuid(), $1, 'Client', 'Monrovia')
           returning id`,
          [name],
        ),
      );
    const siteId = (await addSite('Before')).rows[0]?.id;
    const incident = crypto.randomUUID();
    const report = { id: incident, site_id: siteId, title: 'Broken fence', category: 'security' };
    const reported = await guard
      .from('incidents')
      .insert({ ...report, severity: 'low', description: 'The fence at the back gate is broken.' });
    expect(reported.error).toBeNull();
    const upload = (name: string) =>
      guard.storage
        .from('evidence')
        .upload(`${incident}/${name}`, PDF, { contentType: 'application/pdf' });
    expect((await upload('before.pdf')).error).toBeNull();
    const to = await timeIn(DATA_DIR);
    await addSite('After');
    expect((await upload('after.pdf')).error).toBeNull();
    await kill(first.child, 'SIGTERM');

    const [base = ''] = await savedIn(folder, '.base');
    for (const source of [base, folder]) {
      const TMPDIR = await emptyFolder();
      const verified = await command({ DATA_DIR, TMPDIR }, 'verify', source);
      expect(verified.code, verified.output).toBe(0);
      expect(lastLine(verified)).toMatch(
        /^verified \d{8}-.*\.base: \d+ tables, .* 2 files, .*restored and read/,
      );
      expect((await readdir(TMPDIR)).filter((name) => name.startsWith('verify-'))).toEqual([]);
    }
    const alone = path.join(await emptyFolder(), path.basename(base));
    await copyFile(base, alone);
    await expectRefusal(
      command({ DATA_DIR }, 'verify', alone),
      /a copy of the file alone is not enough/,
    );

    const restored = await emptyFolder();
    const answer = await command({ DATA_DIR: restored }, 'restore', folder, '--to', to);
    expect(answer.code, answer.output).toBe(0);
    expect(lastLine(answer)).toContain(`restored everything until ${to}`);
    const second = await started({ DATA_DIR: restored, SITE_URL, ...walSettings(folder) });
    const back = await connect(second.url, session);
    expect((await back.auth.refreshSession()).error).toBeNull();
    const names = await asOwner(restored, (client) =>
      client.query(`select name from public.sites where name in ('Before', 'After')`),
    );
    expect(names.rows).toEqual([{ name: 'Before' }]);
    const files = back.storage.from('evidence');
    expect(await (await files.download(`${incident}/before.pdf`)).data?.text()).toBe(
      PDF.toString(),
    );
    expect((await files.download(`${incident}/after.pdf`)).error).not.toBeNull();

    // The restored database goes on as a run of its own, beside the one that it left.
    await baseIn(folder).toBe(2);
    expect(await readdir(path.join(folder, 'statesman-wal'))).toHaveLength(2);
    const again = await timeIn(restored);
    await kill(second.child, 'SIGTERM');
    const third = await emptyFolder();
    const last = await command({ DATA_DIR: third }, 'restore', folder, '--to', again);
    expect(last.code, last.output).toBe(0);
  }, 300_000);

  it('is refused beyond what is saved, with a missing or cut segment, and with another passphrase', async () => {
    const env = await bareStart();
    const folder = await emptyFolder();
    const { child } = await started({ ...env, ...walSettings(folder) });
    await baseIn(folder).toBe(1);
    const [base = ''] = await savedIn(folder, '.base');
    const early = await timeIn(env.DATA_DIR);
    const fill = `create table bulk as select repeat(md5(n::text), 20) as text from generate_series(1, 60000) n`;
    await asOwner(env.DATA_DIR, (client) => client.query(fill));
    const to = await timeIn(env.DATA_DIR);
    await kill(child, 'SIGTERM');

    const DATA_DIR = path.join(await emptyFolder(), 'data');
    const target = { ...env, DATA_DIR };
    const restore = (...args: string[]) => command(target, 'restore', ...args);
    await expectRefusal(restore(folder, '--to', '2026-11-23 14:00'), /a time with its zone/);
    await expectRefusal(
      restore(base, '--to', '2020-01-01T00:00:00Z'),
      /The possible times are from 20/,
    );
    await expectRefusal(
      restore(folder, '--to', '2099-01-01T00:00:00Z'),
      /The possible times are from 20/,
    );
    await expectRefusal(restore(DATA_DIR, '--to', to), /There is no archive or folder/);
    await expectRefusal(restore(await emptyFolder(), '--to', to), /BACKUP_WAL=on/);
    await expectRefusal(
      command({ ...target, BACKUP_PASSPHRASE: 'thirteen guards' }, 'restore', folder, '--to', to),
      /is not the passphrase/,
    );
    await expectRefusal(
      command(
        { ...target, DATABASE_URL: 'postgres://127.0.0.1:1/x' },
        'restore',
        folder,
        '--to',
        to,
      ),
      /for the embedded PostgreSQL only/,
    );

    const segments = await savedIn(folder, '.wal');
    expect(segments.length).toBeGreaterThan(3);
    const middle = segments[2] ?? '';
    const aside = path.join(await emptyFolder(), 'aside');
    await copyFile(middle, aside);
    await truncate(middle, 4000);
    await expectRefusal(
      restore(folder, '--to', to),
      /\.wal: The archive is damaged: its end is missing/,
    );
    const verify = () => command(target, 'verify', base);
    await expectRefusal(verify(), /\.wal: The archive is damaged: its end is missing/);
    await rm(middle);
    await expectRefusal(verify(), new RegExp(`${path.basename(middle)} is missing`));
    await expectRefusal(
      restore(folder, '--to', to),
      new RegExp(`${path.basename(middle)} is missing`),
    );
    expect(await readdir(path.dirname(DATA_DIR))).not.toContain('postgres');
    await copyFile(aside, middle);
    expect((await restore(folder, '--to', early)).code).toBe(0);
  }, 300_000);
});

// Mounting the small disk needs root.
it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  'a full disk leaves nothing half restored, and a full disk of backups does not stop the company',
  async () => {
    const env = await bareStart();
    const folder = await emptyFolder();
    const first = await started({ ...env, ...walSettings(folder) });
    await baseIn(folder).toBe(1);
    const to = await timeIn(env.DATA_DIR);
    await kill(first.child, 'SIGTERM');
    const small = await emptyFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=755', 'tmpfs', small]);
    try {
      const target = { ...env, DATA_DIR: small };
      await expectRefusal(command(target, 'restore', folder, '--to', to), /disk.* is full/);
      expect(await readdir(small)).toEqual([]);
      execFileSync('mount', ['-o', 'remount,size=16k', small]);
      const second = await started({ ...env, ...walSettings(small) });
      expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
      await stopped(second.child);
      expect(await savedIn(small, '.wal')).toEqual([]);
    } finally {
      execFileSync('umount', [small]);
    }
  },
  180_000,
);

describe('saved changes', () => {
  it('is the newest bases and everything after the oldest of them; a gap makes a new base', async () => {
    const env = await bareStart();
    const folder = await emptyFolder();
    const settings = { ...walSettings(folder), BACKUP_KEEP: '1' };
    const first = await started({ ...env, ...settings });
    await baseIn(folder).toBe(1);
    const [base = ''] = await savedIn(folder, '.base');
    // The receiver may have saved segments that the base does not need.
    const [, needed = ''] = /-([0-9A-F]{24})\.base$/.exec(base) ?? [];
    const chain = async () =>
      (await savedIn(folder, '.wal')).filter((file) => path.basename(file) >= `${needed}.wal`);
    await endSegment(env.DATA_DIR);
    await endSegment(env.DATA_DIR);
    await expect.poll(async () => (await chain()).length, { timeout: 90_000 }).toBeGreaterThan(1);
    await kill(first.child, 'SIGTERM');
    const [missing = '', after] = await chain();
    await rm(missing);

    const second = await started({ ...env, ...settings });
    await expect
      .poll(async () => (await savedIn(folder, '.base'))[0], { timeout: 90_000 })
      .not.toBe(base);
    await baseIn(folder).toBe(1);
    const to = await timeIn(env.DATA_DIR);
    await kill(second.child, 'SIGTERM');
    const left = await savedIn(folder, '.wal');
    expect(left).not.toContain(after);
    const DATA_DIR = await emptyFolder();
    const answer = await command({ ...env, DATA_DIR }, 'restore', folder, '--to', to);
    expect(answer.code, answer.output).toBe(0);

    // Without the setting nothing retains WAL.
    const third = await started(env);
    const slots = await asOwner(env.DATA_DIR, (client) =>
      client.query(`select from pg_replication_slots where slot_name = 'backup_wal'`),
    );
    expect(slots.rows).toEqual([]);
    await kill(third.child, 'SIGTERM');
  }, 300_000);

  it('needs the embedded PostgreSQL and a folder', async () => {
    const env = await bareStart();
    const alone = await ended({ ...env, BACKUP_WAL: 'on' });
    expect(alone.output).toMatch(/BACKUP_WAL=on needs BACKUP_DIR/);
    await mkdir(path.join(env.DATA_DIR, 'backups'));
    const external = { DATABASE_URL: 'postgres://127.0.0.1:1/x', ...walSettings('/tmp/backups') };
    expect((await ended({ ...env, ...external })).output).toMatch(/embedded PostgreSQL only/);
  });
});
