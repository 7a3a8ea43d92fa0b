// Archives in a bucket, by the commands that an operator types and by the server's schedule.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cleanUpNow } from 'supabase-in-node/testing/clean-up';
import {
  OBJECT_SUFFIX,
  type ObjectStore,
  objectStore,
} from 'supabase-in-node/testing/object-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asOwner, BACKUP_PASSPHRASE, command, expectRefusal, lastLine } from './backup-commands.ts';
import { bareStart, emptyFolder, ended, kill, started } from './program.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** Key and secret of the store. */
const SECRET = /S3RVER/;

let store: ObjectStore;
let BACKUP_DIR: string;

beforeEach(async () => {
  store = await objectStore();
  BACKUP_DIR = store.urlOf('backups');
});
afterEach(cleanUpNow);

const archives = (): Promise<string[]> => store.keys('backups');
const addressOf = (name = ''): string => `s3://${store.host}/files/backups/${name}`;

/** A stopped company with a row, and an archive of more than two parts. */
async function company(): Promise<{ DATA_DIR: string; PROJECT_DIR: string }> {
  const env = await bareStart();
  const { child } = await started(env);
  await asOwner(env.DATA_DIR, (client) =>
    client.query(
      "create table public.post (name text primary key); insert into post values ('Gate')",
    ),
  );
  await kill(child, 'SIGTERM');
  await mkdir(path.join(env.DATA_DIR, 'outbox'), { recursive: true });
  await writeFile(path.join(env.DATA_DIR, 'outbox', 'noise.eml'), randomBytes(20 * 1024 * 1024));
  return env;
}

describe('an archive in a bucket', () => {
  it('is made, verified and restored, and no output has its secret', async () => {
    const env = { ...(await company()), BACKUP_DIR };
    const made = await command(env, 'create');
    expect(made.code, made.output).toBe(0);
    const [name] = await archives();
    expect(lastLine(made)).toBe(addressOf(name));
    const named = await command({ ...env, BACKUP_DIR: '' }, 'create', '--to', BACKUP_DIR);
    expect(await archives()).toEqual([name, path.basename(lastLine(named))].sort());

    const { child } = await started({ ...env, BACKUP_DIR: '' });
    const TMPDIR = await emptyFolder();
    const verified = await command({ ...env, TMPDIR }, 'verify', lastLine(made));
    expect(verified.code, verified.output).toBe(0);
    expect(lastLine(verified)).toMatch(/^verified statesman-.*restored and compared/);
    expect((await readdir(TMPDIR)).filter((entry) => entry.startsWith('verify-'))).toEqual([]);
    await asOwner(env.DATA_DIR, async (client) => {
      const { rows } = await client.query(
        'select file, verified_at is not null as verified from platform.backups order by id',
      );
      expect(rows).toEqual([
        { file: lastLine(made), verified: true },
        { file: lastLine(named), verified: false },
      ]);
    });
    await kill(child, 'SIGTERM');

    const DATA_DIR = path.join(await emptyFolder(), 'data');
    const [base, settings] = BACKUP_DIR.split('?');
    const address = `${base}/${name}?${settings}`;
    const restored = await command({ ...env, DATA_DIR, BACKUP_DIR: '' }, 'restore', address);
    expect(restored.code, restored.output).toBe(0);
    // Not the downloaded archive.
    const names = ['keys', 'outbox', 'postgres', 'postgres.log', 'storage'];
    expect((await readdir(DATA_DIR)).sort()).toEqual(names);
    const noise = (dataDir: string) => readFile(path.join(dataDir, 'outbox', 'noise.eml'));
    expect((await noise(DATA_DIR)).equals(await noise(env.DATA_DIR))).toBe(true);
    const second = await started({ ...env, DATA_DIR, BACKUP_DIR: '' });
    await asOwner(DATA_DIR, async (client) => {
      expect((await client.query('select * from public.post')).rows).toEqual([{ name: 'Gate' }]);
    });
    await kill(second.child, 'SIGTERM');
    for (const { output } of [made, named, verified, restored]) expect(output).not.toMatch(SECRET);
  });

  it('that is cut, missing or of another passphrase is refused, and nothing is written', async () => {
    const env = { ...(await company()), BACKUP_DIR };
    const address = lastLine(await command(env, 'create'));
    const DATA_DIR = path.join(await emptyFolder(), 'data');
    const target = { ...env, DATA_DIR };
    const other = { ...target, BACKUP_PASSPHRASE: 'thirteen guards' };
    await expectRefusal(command(other, 'restore', address), /is not the passphrase/);
    await expectRefusal(command(target, 'restore', `${address}x`), /^There is no archive s3:/);
    const none = { ...target, BACKUP_DIR: '' };
    await expectRefusal(command(none, 'restore', address), /has no key and secret/);
    await expectRefusal(
      command(target, 'restore', address, '--to', '2026-11-23T14:02:00Z'),
      /needs the folder that BACKUP_WAL=on has filled/,
    );
    const file = path.join(store.folder, 'backups', `${path.basename(address)}${OBJECT_SUFFIX}`);
    await truncate(file, (await readFile(file)).length - 20);
    await expectRefusal(command(target, 'restore', address), /its end is missing/);
    await expect(readdir(DATA_DIR)).rejects.toThrow('ENOENT');
    // Forgotten: --to.
    const forgotten = command(target, 'create', BACKUP_DIR);
    await expectRefusal(forgotten, /s3:\/\/…@/);
    expect((await forgotten).output).not.toMatch(SECRET);
  });

  it('is aborted in the store by Ctrl-C', async () => {
    const env = {
      ...process.env,
      ...(await company()),
      DEMO: 'off',
      BACKUP_DIR,
      BACKUP_PASSPHRASE,
    };
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/backup.ts', 'create'], {
      cwd: ROOT,
      env,
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
    // A store that is slow.
    store.answerInstead(({ query }) => {
      if (query.partNumber !== '2') return false;
      child.kill('SIGINT');
      return new Promise(() => {});
    });
    expect(await exit).toBe(1);
    expect(output).toMatch(/Interrupted: nothing was changed/);
    expect(await store.unfinished()).toEqual([]);
    expect(await archives()).toEqual([]);
  });

  // Mounting the small disk needs root.
  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'is not downloaded to a disk without room for it',
    async () => {
      const env = { ...(await company()), BACKUP_DIR };
      const address = lastLine(await command(env, 'create'));
      const small = await emptyFolder();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=755', 'tmpfs', small]);
      try {
        const sentence =
          /has \d\.\d MB free, and the archive.* has 2\d\.\d MB\. Nothing was changed/;
        await expectRefusal(command({ ...env, DATA_DIR: small }, 'restore', address), sentence);
        await expectRefusal(command({ ...env, TMPDIR: small }, 'verify', address), sentence);
        expect((await readdir(small)).filter((name) => !name.startsWith('tsx'))).toEqual([]);
      } finally {
        execFileSync('umount', [small]);
      }
    },
  );
});

describe('a server with a bucket for its backups', () => {
  it('backs up before an upgrade and when one is due, and keeps the newest', async () => {
    const env = await bareStart();
    const migrations = path.join(env.PROJECT_DIR, 'supabase', 'migrations');
    await mkdir(migrations, { recursive: true });
    const migrate = (name: string, sql: string) => writeFile(path.join(migrations, name), sql);
    await migrate('20310101000000_post.sql', 'create table public.post (name text);');
    await kill((await started(env)).child, 'SIGTERM');
    await migrate('20310102000000_relief.sql', 'alter table public.post add relief text;');
    const older = ['statesman-20260101-000000-000.backup', 'statesman-20260102-000000-000.backup'];
    await mkdir(path.join(store.folder, 'backups'));
    for (const name of [...older, 'notes.txt']) {
      await writeFile(path.join(store.folder, 'backups', `${name}${OBJECT_SUFFIX}`), '');
    }
    const settings = { BACKUP_DIR, BACKUP_PASSPHRASE, BACKUP_KEEP: '2' };
    const { url, child } = await started({ ...env, ...settings });
    // Removed once the scheduled one is there.
    await expect.poll(archives, { timeout: 60_000 }).not.toContain(older[1]);
    const made = (await archives()).filter((name) => name !== 'notes.txt').sort();
    expect(made).toHaveLength(2);
    await asOwner(env.DATA_DIR, async (client) => {
      const { rows } = await client.query(
        'select file, is_scheduled from platform.backups order by id',
      );
      expect(rows).toEqual([
        { file: addressOf(made[0]), is_scheduled: false },
        { file: addressOf(made[1]), is_scheduled: true },
      ]);
    });
    const ready = (await (await fetch(`${url}/readyz`)).json()) as {
      lastBackup: { ageSeconds: number };
    };
    expect(ready.lastBackup.ageSeconds).toBeLessThan(120);
    await kill(child, 'SIGTERM');
  });

  it('says without the secret why no backup was made', async () => {
    const env = { ...(await bareStart()), BACKUP_PASSPHRASE };
    const { child } = await started({
      ...env,
      BACKUP_DIR: BACKUP_DIR.replace('/files/', '/other/'),
    });
    const line = await new Promise<string>((resolve) => {
      child.stdout?.on('data', (data: Buffer) => {
        if (data.toString().includes('no backup was made')) resolve(data.toString());
      });
    });
    expect(line).toMatch(/The archives in s3:.* can't be used: http:.* has no bucket other\./);
    expect(line).not.toMatch(SECRET);
    await kill(child, 'SIGTERM');
    const invalid = await ended({ ...env, BACKUP_DIR: 's3://S3RVER/x@host/files' });
    expect(invalid.code).toBe(1);
    expect(invalid.output).toMatch(/BACKUP_DIR is not valid\. Write it like s3:/);
    expect(invalid.output).not.toMatch(SECRET);
    const saving = await ended({ ...env, BACKUP_DIR, BACKUP_WAL: 'on' });
    expect(saving.code).toBe(1);
    expect(saving.output).toMatch(/BACKUP_WAL=on saves changes in a folder only/);
    expect(saving.output).not.toMatch(SECRET);
  });
});
