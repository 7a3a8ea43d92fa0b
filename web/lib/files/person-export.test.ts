import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { archivePerson } from './person-export.ts';

const LIST = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
texts = {name: archive.read(name).decode() for name in archive.namelist()}
print(json.dumps([archive.testzip(), texts]))
`;

test('an archive opens elsewhere, with its names, texts and checksums', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'zip-'));
  try {
    const file = path.join(folder, 'data.zip');
    const person = {
      made_at: '2026-11-20T20:04:07Z',
      person: 'é',
      cut: [],
      tables: { nöthing: [], posts: [{ name: 'Gate', hours: 8, left: null }] },
    };
    const archive = await archivePerson(person);
    writeFileSync(file, new Uint8Array(await archive.arrayBuffer()));
    const listed = execFileSync('python3', ['-c', LIST, file], { encoding: 'utf8' });
    expect(JSON.parse(listed)).toEqual([
      null,
      {
        'data.json': JSON.stringify(person, null, 2),
        'tables/nöthing.csv': '\uFEFF',
        'tables/posts.csv': '\uFEFFname,hours,left\r\nGate,8,',
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
