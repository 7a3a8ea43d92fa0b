import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, requireSpace, requireWritable } from './start-checks.mjs';

test('too little disk space is refused with what is needed and what is free', async () => {
  const needs = [
    { folder: tmpdir(), megabytes: 500 },
    { folder: path.join(tmpdir(), 'not', 'made', 'yet'), megabytes: 300 },
  ];
  const withFree = (bytes: number) => async () => ({ bavail: bytes / 1000, bsize: 1000 });
  await expect(requireSpace(needs, withFree(800e6))).resolves.toBeUndefined();
  await expect(requireSpace(needs, withFree(799e6))).rejects.toThrow(
    /needs about 800 MB on the disk of .*, which has 799 MB free\. .* npm cache clean --force$/,
  );
});

test('settings are read as the server reads them', () => {
  expect(readSettings({})).toMatchObject({ port: 3000, host: '127.0.0.1', isDemo: true });
  expect(readSettings({ HOST: '0.0.0.0' })).toMatchObject({ isDemo: false, isEmbedded: true });
  expect(readSettings({ DEMO: 'off', DATABASE_URL: 'postgres://db' })).toMatchObject({
    isDemo: false,
    isEmbedded: false,
  });
  expect(() => readSettings({ PORT: 'many' })).toThrow(/^The setting PORT is not usable: many/);
});

test('a data directory inside a file is refused', () => {
  const dataDir = path.join(import.meta.filename, 'data');
  expect(() => requireWritable({ dataDir, changesClone: false })).toThrow(
    /^DATA_DIR .* can't be written \(ENOTDIR\)\. Give this account write access/,
  );
});
