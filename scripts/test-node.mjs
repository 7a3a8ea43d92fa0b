// npm run test:node: unit, policy, API and backend tests on another version of Node, 24 unless one is given (tests/README.md).
import { fork } from 'node:child_process';
import path from 'node:path';
import { ensureNode, isRunning } from './other-node.mjs';
import { DATABASE, everydayFiles, printTotals, runVitest } from './runners.mjs';
import { ensureInstalled, main, ROOT, SetupError, say } from './setup.mjs';

/** For .ci/run: all unit tests but only the everyday ones with a database, and none if npm can't fetch that Node. */
const IN_CI = '--ci';
const RERUN = '--rerun';

/** Runs this file on `program`, so that whatever the tests start as `node` is that version too. */
function rerun(program, words) {
  const PATH = [path.dirname(program), process.env.PATH].join(path.delimiter);
  const child = fork(import.meta.filename, [RERUN, ...words], {
    cwd: ROOT,
    execPath: program,
    env: { ...process.env, PATH },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function runTests(parts) {
  const totals = [];
  for (const part of parts) totals.push(await runVitest(part));
  const { node } = process.versions;
  printTotals(totals, { failed: `Failed on Node ${node}`, sums: `Node-${node}: ` });
}

await main(async () => {
  const words = process.argv.slice(2);
  const isCi = words.includes(IN_CI);
  const [major = '24', ...files] = words.filter((word) => !word.startsWith('--'));
  if (!/^\d+$/.test(major))
    throw new SetupError('The version comes first: npm run test:node -- 24 tests/api');

  if (words.includes(RERUN)) {
    const everyday = [{ projects: ['unit'] }, { projects: DATABASE, files: everydayFiles() }];
    await runTests(isCi ? everyday : [{ projects: ['unit', ...DATABASE], files }]);
    return;
  }
  if (isCi && isRunning(major)) {
    say(`This is Node ${major}: npm test runs all tests on it.`);
    return;
  }
  await ensureInstalled();
  const program = await ensureNode(major).catch((error) => {
    if (!isCi) throw error;
    say(`${error.message.trim()}\n  Nothing was tested on Node ${major}: npm can't fetch it.`);
  });
  if (program) process.exitCode = await rerun(program, words);
});
