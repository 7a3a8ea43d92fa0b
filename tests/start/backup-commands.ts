// Runs the commands of backups as an operator types them.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createClient, type Session } from '@supabase/supabase-js';
import type pg from 'pg';
import { expect } from 'vitest';
import ws from 'ws';
import { ownerConnection } from '#backend/database/owner-connection.ts';
import { withClient } from '#backend/database/with-client.ts';
import type { Ended } from './program.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
export const BACKUP_PASSPHRASE = 'twelve guards at the gate';
/** Tokens name their issuer, which must be the same after a restore: the server listens elsewhere. */
export const SITE_URL = 'http://127.0.0.1:3999';

/** `npm run backup`, `backup:verify` or `restore`. */
export function command(
  env: Record<string, string>,
  word: 'create' | 'verify' | 'restore',
  ...args: string[]
): Promise<Ended> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/backup.ts', word, ...args], {
    cwd: ROOT,
    env: { ...process.env, DEMO: 'off', BACKUP_PASSPHRASE, ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

export const lastLine = ({ output }: Ended): string => output.trim().split('\n').at(-1) ?? '';

export async function expectRefusal(answer: Promise<Ended>, sentence: RegExp): Promise<void> {
  const { code, output } = await answer;
  expect(output).toMatch(sentence);
  expect(code).toBe(1);
  expect(output).not.toMatch(/^\s+at /m);
}

export async function connect(url: string, session?: Session) {
  const { supabaseAnonKey } = (await (await fetch(`${url}/app-config.json`)).json()) as {
    supabaseAnonKey: string;
  };
  const client = createClient(url, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as never },
  });
  if (session) await client.auth.setSession(session);
  return client;
}

export const asOwner = async <T>(
  dataDir: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => withClient(await ownerConnection({ dataDir, databaseUrl: undefined }), work);
