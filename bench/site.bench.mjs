// The public site as served: bytes before and after the first screen, speed on slow connections, Lighthouse.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { median, table } from '../backend/bench/support/report.mjs';
import { ensureChromium } from '../scripts/chromium.mjs';
import { withServers } from '../scripts/test-server.mjs';
import { FLAGS, LINES, PHONE, slowDown, withBrowser } from './browser.mjs';

const LOADS = 5;
const LIGHTHOUSE_RUNS = 3;
/** Long enough for late requests. */
const QUIET_MS = 1_500;

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/** Collects the browser's own performance entries from the start of the page. */
function observe() {
  const seen = { lcp: 0, element: '', cls: 0, long: [], fcp: 0 };
  globalThis.seen = seen;
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
    });
  watch('largest-contentful-paint', (entry) => {
    seen.lcp = entry.startTime;
    seen.element = entry.element?.tagName ?? '';
  });
  watch('layout-shift', (entry) => {
    if (!entry.hadRecentInput) seen.cls += entry.value;
  });
  watch('longtask', (entry) => seen.long.push([entry.startTime, entry.duration]));
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime;
  });
}

/** One visit with nothing cached. `throughout` also uses the form, so that its code is fetched too. */
async function visit(browser, url, { line, throughout = false }) {
  const context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (line) await slowDown(session, line);
  const kinds = new Map();
  const bytes = {};
  const origins = new Set();
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    kinds.set(requestId, type);
    if (response.url.startsWith('http')) origins.add(new URL(response.url).origin);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength;
  });
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: 'networkidle' });
  const first = { ...bytes };
  if (throughout) {
    await page.getByLabel('Name', { exact: true }).focus();
    await pause(QUIET_MS);
    await page.getByRole('button', { name: 'Request Consultation' }).click();
    await page.getByText('Validation Error').waitFor();
    await pause(QUIET_MS);
  }
  const seen = await page.evaluate(() => globalThis.seen);
  await context.close();
  const blocked = seen.long
    .filter(([start]) => start >= seen.fcp)
    .reduce((sum, [, duration]) => sum + duration - 50, 0);
  return { ...seen, tbt: blocked, first, bytes, origins };
}

const sum = (bytes) => Object.values(bytes).reduce((total, part) => total + part, 0);

async function weigh(browser, url) {
  const { first, bytes, origins } = await visit(browser, url, { throughout: true });
  const screen =
    (first.Document ?? 0) + (first.Stylesheet ?? 0) + (first.Font ?? 0) + (first.Image ?? 0);
  return [
    ['HTML, CSS, fonts and hero of the first screen', 'under 90 kB', kilobytes(screen)],
    ['JavaScript of the page (none blocks)', 'under 85 kB', kilobytes(first.Script ?? 0)],
    [
      'JavaScript fetched once the contact form is used',
      'none',
      kilobytes((bytes.Script ?? 0) - (first.Script ?? 0)),
    ],
    ['whole page, everything a visit fetches', 'under 350 kB', kilobytes(sum(bytes))],
    ['other origins', '0', String(origins.size - 1)],
  ];
}

async function time(browser, url, line) {
  const loads = [];
  for (let load = 0; load < LOADS; load += 1) loads.push(await visit(browser, url, { line }));
  const of = (name) => median(loads.map((load) => load[name]));
  return { lcp: of('lcp'), tbt: of('tbt'), cls: of('cls'), element: loads[0].element };
}

/** One run of Lighthouse 12, the newest that runs on Node 20; fetched for this measurement only. @returns scores by category, and what cost points */
async function lighthouse(url, browserPath, folder) {
  const report = path.join(folder, 'report.json');
  const args = ['--yes', 'lighthouse@12', url, '--quiet', '--output=json'];
  args.push(`--output-path=${report}`, `--chrome-flags=--headless=new ${FLAGS.join(' ')}`);
  const env = { ...process.env, CHROME_PATH: browserPath };
  await promisify(execFile)('npx', args, { cwd: folder, env, timeout: 300_000 });
  const { categories, audits } = JSON.parse(readFileSync(report, 'utf8'));
  const scores = Object.values(categories).map(({ score }) => Math.round(score * 100));
  const faults = Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id].score ?? 1) < 0.9)
    .map(({ id }) => id);
  return { scores, faults };
}

async function lighthouseScores(url, browserPath) {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-lighthouse-'));
  try {
    const runs = [];
    for (let run = 0; run < LIGHTHOUSE_RUNS; run += 1) {
      runs.push(await lighthouse(url, browserPath, folder));
    }
    const scores = runs[0].scores.map((_, at) => median(runs.map((run) => run.scores[at])));
    const faults = [...new Set(runs.flatMap((run) => run.faults))];
    return scores.join(' / ') + (faults.length > 0 ? ` (in some run: ${faults.join(', ')})` : '');
  } catch (error) {
    return `skipped: ${String(error.message).split('\n')[0]}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export default async function site() {
  const browserPath = await ensureChromium();
  await withServers(1, async ([{ url }]) => {
    const { rows, fast, slow } = await withBrowser(async (browser) => ({
      rows: await weigh(browser, url),
      fast: await time(browser, url, LINES.fast),
      slow: await time(browser, url, LINES.slow),
    }));
    const milliseconds = (value) => `${Math.round(value)} ms`;
    rows.push(
      [
        `1.6 Mbit/s, 150 ms, CPU 4x: LCP (${fast.element})`,
        'under 1800 ms',
        milliseconds(fast.lcp),
      ],
      ['the same: TBT', 'under 100 ms', milliseconds(fast.tbt)],
      ['the same: CLS', 'under 0.02', fast.cls.toFixed(4)],
      [
        `400 kbit/s, 400 ms, CPU 4x: LCP (${slow.element})`,
        'under 4000 ms',
        milliseconds(slow.lcp),
      ],
      [
        'Lighthouse 12, mobile: performance / accessibility / best practices / SEO',
        '100 / 100 / 100 / 100',
        await lighthouseScores(url, browserPath),
      ],
    );
    console.log(`A phone of 360 px; medians of ${LOADS} loads with nothing cached.\n`);
    table(['what', 'goal', 'measured'], rows);
  });
}
