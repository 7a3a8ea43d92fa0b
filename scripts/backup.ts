// npm run backup -- --to <folder or s3://…> · npm run backup:verify [-- <archive>] · npm run restore -- <archive> [--to <time>]
import path from 'node:path';
import { parseArgs } from 'node:util';
import { backupBeside, recordVerified } from 'supabase-in-node/backup-beside';
import { archivesIn } from 'supabase-in-node/keep-newest';
import {
  type ArchiveAddress,
  localPath,
  type PlaceAddress,
  readArchiveAddress,
  readPlace,
  withPlace,
} from 'supabase-in-node/place-address';
import { restoreArchive } from 'supabase-in-node/restore';
import { restoreToTime } from 'supabase-in-node/restore-to-time';
import { StartError } from 'supabase-in-node/start-error';
import { type Manifest, verifyArchive } from 'supabase-in-node/verify-backup';
import { isBase, verifyBase } from 'supabase-in-node/verify-base';
import { readProduct } from '#server/backups/product.ts';
import { type AppConfig, readConfig } from '#server/config.ts';
import { runCommand } from './operator-command.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCE_DIR = path.join(ROOT, 'backend', 'src');
/** Where the command was typed: npm starts scripts in the repository. */
const TYPED_IN = process.env.INIT_CWD ?? process.cwd();

const progress = (message: string): void => console.log(`  ${message}…`);
const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
const sizeOf = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** A start without DATA_DIR would open another database. */
const NEXT = process.env.DATA_DIR
  ? 'Now start it with the same DATA_DIR: npm start'
  : 'Now: npm start';

interface Call {
  config: AppConfig;
  passphrase: string;
  product: { name: string; version: string };
  /** Aborted by Ctrl-C: a command ends in order and leaves nothing half done. */
  signal: AbortSignal;
}

/** The archive's path or address is the last line. */
async function create({ config, ...call }: Call, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { to: { type: 'string' } } });
  const named = values.to === undefined ? undefined : readPlace(values.to, '--to', TYPED_IN);
  const target = named ?? config.schedule?.place;
  if (target === undefined) {
    throw new StartError(
      'Name the folder of the archive: npm run backup -- --to /path/to/backups (or set BACKUP_DIR).',
    );
  }
  progress('Backing up database, files and keys');
  const backup = await withPlace(target, call.signal, (place) =>
    backupBeside(config, { ...call, place }),
  );
  const { tables, rows, files, bytes, missing } = backup;
  console.log(
    `  ${counted(tables, 'table')}, ${counted(rows, 'row')}, ${counted(files, 'file')}, ${sizeOf(bytes)}`,
  );
  if (missing.length > 0) {
    console.warn(
      `  Already lost before this backup: the bytes of ${counted(missing.length, 'stored object')} (${missing.slice(0, 5).join(', ')}).`,
    );
  }
  console.log(backup.address);
}

async function verify({ config, ...call }: Call, args: string[]): Promise<void> {
  const started = Date.now();
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const known = config.schedule?.place;
  const source =
    positionals.length === 0 && known !== undefined
      ? await newestIn(known, call)
      : sourceOf(positionals, 'backup:verify', known);
  const file = localPath(source);
  const seconds = (): string => ((Date.now() - started) / 1000).toFixed(1);
  if (file !== undefined && (await isBase(file))) {
    const found = await verifyBase({ ...call, source: file, progress });
    if (found.missing > 0) {
      console.warn(`  The bytes of ${counted(found.missing, 'stored object')} are in no backup.`);
    }
    console.log(
      `verified ${path.basename(found.file)}: ${counted(found.tables, 'table')}, ${counted(found.rows, 'row')}, ${counted(found.objects, 'file')}, ${counted(found.segments, 'segment')} of changes, for any moment from ${found.from.toISOString()} to before ${found.until.toISOString()}; restored and read in ${seconds()} s`,
    );
    return;
  }
  const { projectDir } = config;
  const options = { ...call, source, projectDir, sourceDir: SOURCE_DIR, progress };
  const manifest = await verifyArchive(options);
  await recordVerified(config, source.name);
  console.log(
    `verified ${source.name}: ${contentsOf(manifest)}; restored and compared in ${seconds()} s`,
  );
}

async function restore({ config, ...call }: Call, args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { to: { type: 'string' } },
  });
  const source = sourceOf(positionals, 'restore', config.schedule?.place);
  if (values.to !== undefined) {
    const to = parseTime(values.to);
    const file = localPath(source);
    if (file === undefined) {
      throw new StartError(
        'A restore to a point in time needs the folder that BACKUP_WAL=on has filled, not a bucket.',
      );
    }
    const state = await restoreToTime({ ...call, config, source: file, to, progress });
    if (state.missing > 0) {
      console.warn(`  The bytes of ${counted(state.missing, 'stored object')} are in no backup.`);
    }
    console.log(
      `restored everything until ${to.toISOString()} into ${config.dataDir}: the base backup of ${state.base}, ${counted(state.segments, 'segment')} of changes, ${counted(state.objects, 'file')}. ${NEXT}`,
    );
    return;
  }
  const options = { ...call, source, config, sourceDir: SOURCE_DIR, progress };
  const manifest = await restoreArchive(options);
  const database = config.databaseUrl === undefined ? '' : ' and the database at DATABASE_URL';
  console.log(`restored ${contentsOf(manifest)} into ${config.dataDir}${database}. ${NEXT}`);
}

/** @throws StartError without a zone: the same time is another moment in another place */
function parseTime(text: string): Date {
  const isWhole = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = new Date(text);
  if (isWhole && !Number.isNaN(+time)) return time;
  throw new StartError(
    `--to takes a time with its zone, for example 2026-11-23T14:02:00Z or 2026-11-23T14:02:00+01:00, not ${text}.`,
  );
}

/** @param known whose credentials are used for an address without any */
function sourceOf(
  positionals: string[],
  command: string,
  known: PlaceAddress | undefined,
): ArchiveAddress {
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    throw new StartError(`Name the archive: npm run ${command} -- /path/to/archive.backup`);
  }
  return readArchiveAddress(file, TYPED_IN, known);
}

async function newestIn(place: PlaceAddress, { product, signal }: Omit<Call, 'config'>) {
  const name = await withPlace(place, signal, async (opened) =>
    (await archivesIn(opened, product.name)).at(-1),
  );
  if (name === undefined) throw new StartError('BACKUP_DIR has no archive yet: npm run backup');
  return { place, name };
}

function contentsOf({ header, entries }: Manifest): string {
  const tables = entries.filter(({ kind }) => kind === 'table');
  const files = entries.filter(({ kind }) => kind === 'blob' || kind === 'file');
  const rows = tables.reduce((sum, { table }) => sum + (table?.rows ?? 0), 0);
  const bytes = files.reduce((sum, entry) => sum + entry.bytes, 0);
  return `${counted(tables.length, 'table')}, ${counted(rows, 'row')}, ${counted(files.length, 'file')} (${sizeOf(bytes)}) of ${header.takenAt}, version ${header.version}`;
}

const COMMANDS = { create, verify, restore };
const isCommand = (word: string | undefined): word is keyof typeof COMMANDS =>
  word !== undefined && word in COMMANDS;

async function run([word, ...args]: string[], signal: AbortSignal): Promise<void> {
  if (!isCommand(word)) throw new StartError('Use npm run backup, backup:verify or restore.');
  const config = readConfig(process.env, ROOT);
  if (config.backupPassphrase === undefined) {
    throw new StartError(
      'Set BACKUP_PASSPHRASE, which encrypts the archive and is needed to read it. Store it outside this machine.',
    );
  }
  const product = await readProduct(ROOT);
  await COMMANDS[word]({ config, passphrase: config.backupPassphrase, product, signal }, args);
}

await runCommand((signal) => run(process.argv.slice(2), signal));
