// Backup, verification and restore, by the commands that an operator types.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDF } from 'supabase-in-node/testing/samples';
import { describe, expect, it } from 'vitest';
import { createBackup } from '#backend/backup/create-backup.ts';
import { openFolder } from '#backend/backup/folder-place.ts';
import { ownerConnection } from '#backend/database/owner-connection.ts';
import { openDisk } from '#backend/services/storage/blobs/blob-store.ts';
import {
  asOwner,
  BACKUP_PASSPHRASE,
  command,
  connect,
  expectRefusal,
  lastLine,
  SITE_URL,
} from './backup-commands.ts';
import { bareStart, emptyFolder, ended, kill, started } from './program.ts';

const lastBackup = async (url: string) =>
  ((await (await fetch(`${url}/readyz`)).json()) as { lastBackup: { ageSeconds: number } | null })
    .lastBackup;

/** Commits pairs of sites until it is stopped. @returns the number of pairs */
function writePairs(dataDir: string): { stop(): Promise<number> } {
  let isStopped = false;
  let pairs = 0;
  const insert = `insert into public.sites (name, client_name, address)
    select format('Pair %s %s', $1::int, side), 'Client', 'Monrovia' from unnest('{left,right}'::text[]) side`;
  const written = asOwner(dataDir, async (client) => {
    for (; !isStopped; pairs += 1) await client.query(insert, [pairs]);
  });
  return {
    stop: async () => {
      isStopped = true;
      await written;
      return pairs;
    },
  };
}

describe('a backup of the running company', () => {
  it('is verified, and restores rows, files, keys and sessions into an empty folder', async () => {
    const DATA_DIR = await emptyFolder();
    const folder = path.join(await emptyFolder(), 'backups');
    const first = await started({ DATA_DIR, SITE_URL });
    expect(await lastBackup(first.url)).toBeNull();
    const guard = await connect(first.url);
    const signedUp = await guard.auth.signUp({
      email: 'guard@test.example',
      password: 'correct-horse-7',
    });
    const session = signedUp.data.session;
    if (session === null) throw signedUp.error ?? new Error('no session');
    const siteId = await asOwner(DATA_DIR, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into public.sites (name, client_name, address) values ('Gate', 'Client', 'Monrovia') returning id`,
      );
      await client.query(
        'create table public.by_hand (id int generated always as identity primary key, note text)',
      );
      await client.query(
        `insert into public.by_hand (note) values (E'two\\nlines\\t\\\\.'), (null)`,
      );
      return rows[0]?.id ?? '';
    });
    const incident = crypto.randomUUID();
    const reported = await guard.from('incidents').insert({
      id: incident,
      site_id: siteId,
      title: 'Broken fence',
      category: 'security',
      severity: 'low',
      description: 'The fence at the back gate is broken.',
    });
    expect(reported.error).toBeNull();
    const name = `${incident}/fence.pdf`;
    const upload = await guard.storage
      .from('evidence')
      .upload(name, PDF, { contentType: 'application/pdf' });
    expect(upload.error).toBeNull();

    const writing = writePairs(DATA_DIR);
    const made = await command({ DATA_DIR }, 'create', '--to', folder);
    const pairs = await writing.stop();
    expect(made.code, made.output).toBe(0);
    const archive = lastLine(made);
    expect(await readdir(folder)).toEqual([path.basename(archive)]);
    expect((await lastBackup(first.url))?.ageSeconds).toBeLessThan(120);
    expect((await readFile(archive)).includes('guard@test.example')).toBe(false);

    // The newest one, beside the running system.
    const TMPDIR = await emptyFolder();
    await expectRefusal(command({ DATA_DIR, BACKUP_DIR: TMPDIR }, 'verify'), /no archive yet/);
    const verified = await command({ DATA_DIR, BACKUP_DIR: folder, TMPDIR }, 'verify');
    expect(verified.code, verified.output).toBe(0);
    expect(lastLine(verified)).toMatch(/^verified statesman-.*restored and compared/);
    expect((await readdir(TMPDIR)).filter((entry) => entry.startsWith('verify-'))).toEqual([]);
    await expectRefusal(command({ DATA_DIR }, 'restore', archive), /is not empty.*mv /);
    await kill(first.child, 'SIGTERM');

    const restored = await emptyFolder();
    const answer = await command({ DATA_DIR: restored }, 'restore', archive);
    expect(answer.code, answer.output).toBe(0);
    const second = await started({ DATA_DIR: restored, SITE_URL });
    const back = await connect(second.url, session);
    expect((await back.auth.getUser(session.access_token)).data.user?.email).toBe(
      'guard@test.example',
    );
    expect((await back.auth.refreshSession()).error).toBeNull();
    const found = await back.from('incidents').select('title').eq('id', incident);
    expect(found.data).toEqual([{ title: 'Broken fence' }]);
    const file = await back.storage.from('evidence').download(name);
    expect(await file.data?.text()).toBe(PDF.toString());
    await asOwner(restored, async (client) => {
      const { rows } = await client.query<{ left: number; right: number }>(
        `select count(*) filter (where name like 'Pair % left')::int as left,
           count(*) filter (where name like 'Pair % right')::int as right from public.sites`,
      );
      expect(rows[0]?.left).toBe(rows[0]?.right);
      expect(rows[0]?.left).toBeLessThanOrEqual(pairs);
      // Sequences and tables that no migration made go on.
      const notes = await client.query(
        `with added as (insert into public.by_hand (note) values ('three') returning id, note)
         select id, note from public.by_hand union all select id, note from added order by id`,
      );
      expect(notes.rows).toEqual([
        { id: 1, note: 'two\nlines\t\\.' },
        { id: 2, note: null },
        { id: 3, note: 'three' },
      ]);
    });
    // A start, a backup and two restores of a whole company, on a busy machine.
  }, 300_000);
});

describe('an archive', () => {
  it('that is cut, altered, newer or of another passphrase is refused, and nothing is written', async () => {
    const env = await bareStart();
    const folder = await emptyFolder();
    await kill((await started(env)).child, 'SIGTERM');
    // Of a server that does not run.
    const made = await command(env, 'create', '--to', folder);
    expect(made.code, made.output).toBe(0);
    const archive = lastLine(made);
    const DATA_DIR = path.join(await emptyFolder(), 'data');
    const target = { ...env, DATA_DIR };

    const other = { ...target, BACKUP_PASSPHRASE: 'thirteen guards' };
    await expectRefusal(command(other, 'restore', archive), /is not the passphrase/);
    const none = { ...target, BACKUP_PASSPHRASE: '' };
    await expectRefusal(command(none, 'create', '--to', folder), /^Set BACKUP_PASSPHRASE/);

    const copy = path.join(folder, 'copy');
    const bytes = await readFile(archive);
    await copyFile(archive, copy);
    await truncate(copy, bytes.length - 20);
    await expectRefusal(command(target, 'restore', copy), /its end is missing/);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    await writeFile(copy, bytes);
    await expectRefusal(command(target, 'verify', copy), /it was changed after it was made/);

    const { child } = await started(env);
    const newer = await createBackup({
      connection: await ownerConnection({ dataDir: env.DATA_DIR, databaseUrl: undefined }),
      dataDir: env.DATA_DIR,
      blobs: await openDisk(path.join(env.DATA_DIR, 'storage'), true),
      place: openFolder(folder),
      passphrase: BACKUP_PASSPHRASE,
      product: { name: 'statesman', version: '99.0.0' },
      isScheduled: false,
      signal: new AbortController().signal,
    });
    await kill(child, 'SIGTERM');
    await expectRefusal(command(target, 'restore', newer.address), /newer version 99\.0\.0/);
    await expect(readdir(DATA_DIR)).rejects.toThrow('ENOENT');
  });

  it('of an older version is restored, and brought up to date by the next start', async () => {
    const env = await bareStart();
    const migrations = path.join(env.PROJECT_DIR, 'supabase', 'migrations');
    await mkdir(migrations, { recursive: true });
    const post = path.join(migrations, '20310101000000_post.sql');
    await writeFile(
      post,
      "create table public.post (name text); insert into post values ('seed');",
    );
    await kill((await started(env)).child, 'SIGTERM');
    const archive = lastLine(await command(env, 'create', '--to', await emptyFolder()));

    await writeFile(
      path.join(migrations, '20310102000000_relief.sql'),
      "alter table public.post add relief text not null default 'none'; create index on public.post (name);",
    );
    const DATA_DIR = await emptyFolder();
    const answer = await command({ ...env, DATA_DIR }, 'restore', archive);
    expect(answer.code, answer.output).toBe(0);
    const { child } = await started({ ...env, DATA_DIR });
    await asOwner(DATA_DIR, async (client) => {
      const { rows } = await client.query('select * from public.post');
      expect(rows).toEqual([{ name: 'seed', relief: 'none' }]);
    });
    await kill(child, 'SIGTERM');

    await rm(post);
    await expectRefusal(
      command({ ...env, DATA_DIR: await emptyFolder() }, 'restore', archive),
      /newer version: it has the tables of migration 20310101000000/,
    );
  });

  // Mounting the small disk needs root.
  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'is not left half written on a full disk, and neither is a restored folder',
    async () => {
      const env = await bareStart();
      const folder = await emptyFolder();
      await kill((await started(env)).child, 'SIGTERM');
      const archive = lastLine(await command(env, 'create', '--to', folder));
      const small = await emptyFolder();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k,mode=755', 'tmpfs', small]);
      try {
        await expectRefusal(command(env, 'create', '--to', small), /The disk of .* is full/);
        expect(await readdir(small)).toEqual([]);
        execFileSync('mount', ['-o', 'remount,size=12m', small]);
        const target = { ...env, DATA_DIR: small };
        await expectRefusal(command(target, 'restore', archive), /disk.* is full/);
        expect(await readdir(small)).toEqual([]);
      } finally {
        execFileSync('umount', [small]);
      }
    },
  );
});

describe('the schedule', () => {
  it('makes a backup when one is due and keeps the newest', async () => {
    const BACKUP_DIR = path.join(await emptyFolder(), 'scheduled');
    await mkdir(BACKUP_DIR);
    const older = [1, 2, 3].map((day) => `statesman-2026010${day}-000000-000.backup`);
    for (const name of [...older, 'notes.txt']) await writeFile(path.join(BACKUP_DIR, name), '');
    const schedule = { BACKUP_DIR, BACKUP_PASSPHRASE, BACKUP_KEEP: '2' };
    const { url } = await started({ ...(await bareStart()), ...schedule });
    await expect.poll(async () => (await readdir(BACKUP_DIR)).length, { timeout: 60_000 }).toBe(3);
    expect((await readdir(BACKUP_DIR)).sort()).toEqual([
      'notes.txt',
      older[2],
      expect.stringMatching(/^statesman-20\d{6}-\d{6}-\d{3}\.backup$/),
    ]);
    expect((await lastBackup(url))?.ageSeconds).toBeLessThan(120);
  });

  it('needs a passphrase', async () => {
    const { code, output } = await ended({ ...(await bareStart()), BACKUP_DIR: '/tmp/backups' });
    expect(code).toBe(1);
    expect(output).toMatch(/BACKUP_DIR is set, but no BACKUP_PASSPHRASE/);
  });
});
