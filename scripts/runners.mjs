// Runs the test runners and reads their true totals from their reports.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './setup.mjs';

function start(args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(1));
  });
}

/** A runner that died, or failed without naming a test, counts as one failure. */
async function counted(args, env, report, read) {
  const code = await start(args, env);
  const totals = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 1 };
  return code !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}

async function withReport(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-report-'));
  try {
    return await work(path.join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string[]} projects names in vitest.config.ts */
export function runVitest(projects) {
  return withReport((report) => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
    args.push(`--outputFile.json=${report}`, ...projects.flatMap((name) => ['--project', name]));
    return counted(args, {}, report, (json) => ({
      passed: json.numPassedTests,
      failed:
        json.numFailedTests +
        json.testResults.filter(
          (file) => file.status === 'failed' && file.assertionResults.length === 0,
        ).length,
    }));
  });
}

/** @param {{ servers: { url: string, dataDir: string }[], chromium: string }} options one running server for each worker, and the browser */
export function runPlaywright({ servers, chromium }) {
  return withReport((report) =>
    counted(
      ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'],
      {
        E2E_BASE_URL: servers.map(({ url }) => url).join(','),
        E2E_DATA_DIR: servers.map(({ dataDir }) => dataDir).join(','),
        CHROMIUM_PATH: chromium,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      },
      report,
      ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
    ),
  );
}
