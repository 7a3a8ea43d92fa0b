import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountFor, spawnAs } from '#backend/database/embedded/programs.ts';
import { emptyFolder } from './program.ts';

describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('started as root', () => {
  it.each([0o755, 0o700])(
    'programs in a folder of mode %o run as an unprivileged user',
    async (mode) => {
      const folder = await emptyFolder();
      const program = path.join(folder, 'program');
      await copyFile('/bin/sh', program);
      await chmod(folder, mode);
      const account = await accountFor([program]);
      expect(account?.uid).toBeGreaterThan(0);
      // `test -x` uses access(2), as PostgreSQL does before it runs its own programs.
      const child = spawnAs(account, program, ['-c', `test -x ${program} && id -u`], {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: folder,
      });
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await new Promise((resolve) => child.once('close', resolve));
      expect(output.trim()).toBe(String(account?.uid));
    },
  );
});
