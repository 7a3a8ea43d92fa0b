// Writes what is in an archive into an empty database, an object store and a folder.
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Client, ClientConfig } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import { prepareOldSchema, type SchemaFiles } from '../database/prepare.ts';
import { withClient } from '../database/with-client.ts';
import { replaceFile } from '../files.ts';
import type { BlobStore } from '../services/storage/blobs/blob-store.ts';
import { COPY_SETTINGS, copyList, listTables, quoted } from './dump-database.ts';
import type { EntryHeader } from './entries.ts';
import { withoutIndexes } from './load-indexes.ts';
import { type Archive, readArchive } from './read-archive.ts';

export interface Destination {
  connection: ClientConfig;
  blobs: BlobStore;
  /** Absolute path of the folder that gets the files of DATA_DIR. */
  folder: string;
}

const State = z.object({
  sequences: z.array(
    z.object({ schema: z.string(), name: z.string(), value: z.string(), called: z.boolean() }),
  ),
  roles: z.array(z.object({ role: z.string(), setting: z.string() })),
});

/** Settings whose values are lists of names, stored quoted. */
const LISTS = ['search_path', 'temp_tablespaces', 'session_preload_libraries'];

/** @param files that made the archive's tables */
export async function loadArchive(
  archive: Archive,
  { connection, blobs, folder }: Destination,
  files: SchemaFiles,
  signal: AbortSignal,
): Promise<void> {
  await withClient(connection, async (client) => {
    await prepareOldSchema(client, files);
    await client.query(COPY_SETTINGS);
    // Triggers have run when the rows were written, and references are complete at the end.
    await client.query('set session_replication_role to replica');
    const made = await listTables(client);
    await client.query(`truncate ${made.map((table) => quoted(client, table)).join(', ')} cascade`);
    const known = new Set(made.map((table) => quoted(client, table)));
    const load = async (header: EntryHeader, data: AsyncGenerator<Buffer>): Promise<void> => {
      if (header.kind === 'table') await loadTable(client, header, data, known);
      if (header.kind === 'state') await loadState(client, data);
      if (header.kind === 'blob') await blobs.write(header.id, Readable.from(data));
      if (header.kind === 'file') await replaceFile(path.join(folder, header.path), data);
    };
    await withoutIndexes(client, async () => {
      await readArchive(archive, load, signal);
    });
    await client.query('analyze');
  });
}

async function loadTable(
  client: Client,
  table: Extract<EntryHeader, { kind: 'table' }>,
  data: AsyncGenerator<Buffer>,
  known: Set<string>,
): Promise<void> {
  if (!known.has(quoted(client, table))) {
    for (const statement of table.definition) await client.query(statement);
  }
  const rows = client.query(copyFrom(`copy ${copyList(client, table)} from stdin`));
  await pipeline(data, rows);
}

async function loadState(client: Client, data: AsyncGenerator<Buffer>): Promise<void> {
  const { sequences, roles } = State.parse(JSON.parse(await text(data)));
  for (const { value, called, ...sequence } of sequences) {
    await client.query('select setval(to_regclass($1), $2, $3)', [
      quoted(client, sequence),
      value,
      called,
    ]);
  }
  for (const { role, setting } of roles) {
    const [name = '', ...values] = setting.split('=');
    const value = values.join('=');
    await client.query(
      `alter role ${client.escapeIdentifier(role)} set ${client.escapeIdentifier(name)} to ${LISTS.includes(name) ? value : client.escapeLiteral(value)}`,
    );
  }
}
