import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { zip } from './zip.ts';

const LIST = `
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(archive.testzip())
for info in archive.infolist():
    print(info.filename, archive.read(info).decode())
`;

test('an archive opens elsewhere, with its names and checksums', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'zip-'));
  try {
    const file = path.join(folder, 'data.zip');
    const text = new TextEncoder();
    const archive = zip([
      { name: 'data.json', bytes: text.encode('{"a": "é"}') },
      { name: 'tables/nöthing.csv', bytes: text.encode('') },
    ]);
    writeFileSync(file, new Uint8Array(await archive.arrayBuffer()));
    const listed = execFileSync('python3', ['-c', LIST, file], { encoding: 'utf8' });
    expect(listed).toBe('None\ndata.json {"a": "é"}\ntables/nöthing.csv \n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
