// Whether the server's memory grows over a million small reads and updates.
// Takes about five minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from '../backend/bench/data-service/run-load.mjs';
import { megabytes, table } from '../backend/bench/support/report.mjs';
import { casesOf } from './data-service/cases.mjs';
import { startMeasured } from './data-service/measured.mjs';
import { onService, signIn } from './data-service/sign-in.mjs';

const FEW = 10_000;
/** Total requests at which memory is read. */
const STEPS = [FEW, 100_000, 250_000, 500_000, 750_000, 1_000_000];
const CONNECTIONS = 32;
const GOAL = 1.1;

export default async function memory() {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const measured = await startMeasured(path.join(folder, 'data'));
  try {
    const { token } = await signIn(measured);
    const cases = await casesOf(measured);
    const requests = onService([...cases[2].requests, ...cases[4].requests.slice(0, 8)]);
    const found = [];
    let done = 0;
    for (const step of STEPS) {
      const run = { port: measured.port, connections: CONNECTIONS, token, requests };
      done += (await load({ ...run, count: step - done })).count;
      const { rss, heapUsed } = await measured.ask('memory');
      found.push({ done, rss, heapUsed });
    }
    const [first] = found;
    table(
      ['requests', 'resident', 'heap in use', `of ${FEW} (goal ${GOAL})`],
      found.map(({ done, rss, heapUsed }) => [
        String(done),
        megabytes(rss),
        megabytes(heapUsed),
        (rss / first.rss).toFixed(2),
      ]),
    );
    const isMet = found.at(-1).rss / first.rss <= GOAL;
    console.log(`\nGoal met: ${isMet ? 'yes' : '**no**'}`);
  } finally {
    await measured.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
