// Prints the cost of verifying a token, first time and cached, in microseconds as JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openKeys } from '../src/keys/keys.ts';

const TOKENS = 300;
const ROUNDS = 100;

const dataDir = mkdtempSync(path.join(tmpdir(), 'backend-bench-'));
try {
  const keys = await openKeys({ dataDir, jwtKeys: undefined, jwtSecret: undefined });
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const tokens = await Promise.all(
    Array.from({ length: TOKENS }, (_, n) =>
      keys.sign({ sub: String(n), role: 'authenticated', exp }),
    ),
  );
  const time = async (rounds: number): Promise<number> => {
    const started = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      for (const token of tokens) await keys.verify(token);
    }
    return ((performance.now() - started) / rounds / TOKENS) * 1000;
  };
  const first = await time(1);
  console.log(JSON.stringify({ first, seen: await time(ROUNDS) }));
  keys.close();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
