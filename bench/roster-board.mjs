// The roster's board with the demo company's week, on a processor four times slower.
import { median, milliseconds, table } from '../backend/bench/support/report.mjs';
import { withServers } from '../scripts/test-server.mjs';
import { withBrowser } from './browser.mjs';

const DESK = { width: 1280, height: 800 };
const CPU = 4;
const ROUNDS = 5;

/** Records tasks that block the page for longer than 50 ms. */
function observeTasks() {
  globalThis.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.tasks.push(duration);
  }).observe({ type: 'longtask' });
}

const longest = async (page) => page.evaluate(() => Math.max(0, ...globalThis.tasks.splice(0)));

async function signedIn(browser, url) {
  const context = await browser.newContext({ viewport: DESK });
  const page = await context.newPage();
  await page.goto(`${url}/auth`);
  await page.getByLabel('Email').fill('ops@statesman.example');
  await page.getByLabel('Password', { exact: true }).fill('Statesman-Demo-1');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.locator('#sidebar').waitFor();
  // The code of the board is in the cache, as for a daily user.
  await page.goto(`${url}/admin/roster`);
  await page.getByRole('gridcell').first().waitFor();
  await page.close();
  return context;
}

const filled = '[role=gridcell][data-carries]';

async function open(page, url) {
  const started = performance.now();
  await page.goto(`${url}/admin/roster`, { waitUntil: 'commit' });
  await page.locator(filled).first().waitFor();
  return performance.now() - started;
}

/** As a dispatcher does who comes from another screen. */
async function click(page, url) {
  await page.goto(`${url}/admin/sites`);
  await page.locator('main tbody tr').first().waitFor();
  await page.waitForTimeout(1_500);
  const started = performance.now();
  await page.locator('#sidebar').getByRole('link', { name: 'Roster', exact: true }).click();
  await page.locator(filled).first().waitFor();
  return performance.now() - started;
}

async function scroll(page) {
  const { x, y, width, height } = await page.getByRole('grid').locator('..').boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await longest(page);
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(0, step < 40 ? 240 : -600);
    await page.waitForTimeout(30);
  }
  return longest(page);
}

const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/** Drags a guard over the board, and lets go of it where it was. @returns the longest task */
async function drag(page) {
  const [x, y] = middle(await page.locator(filled).first().boundingBox());
  await page.mouse.move(x, y);
  await longest(page);
  await page.mouse.down();
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.move(x + (step % 12) * 50, y + (step % 9) * 34);
    await page.waitForTimeout(16);
  }
  await page.keyboard.press('Escape');
  await page.mouse.up();
  return longest(page);
}

/** Milliseconds from the next release of the mouse until the page no longer shows that it is saving. */
function timeDrop() {
  globalThis.dropTook = new Promise((resolve) => {
    addEventListener(
      'mouseup',
      ({ timeStamp }) => {
        const statuses = [...document.querySelectorAll('[role=status]')];
        let began = false;
        const observer = new MutationObserver(() => {
          const isSaving = statuses.some(({ textContent }) => textContent.includes('Saving...'));
          if (began && !isSaving) {
            observer.disconnect();
            // After the frame that shows it.
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = () => resolve(performance.now() - timeStamp);
              port2.postMessage(undefined);
            });
          }
          began ||= isSaving;
        });
        for (const status of statuses) observer.observe(status, { childList: true });
      },
      { capture: true, once: true },
    );
  });
}

/** Drags the best guard of the list beside the board onto a gap. @returns milliseconds from the drop until it is saved */
async function drop(page) {
  await page.getByRole('button', { name: 'List of guards' }).click();
  const gap = page.locator('[role=gridcell][aria-label^="Open,"]').first();
  const { x, y, width, height } = await page.getByRole('grid').locator('..').boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  while ((await gap.count()) === 0) {
    await page.mouse.wheel(0, 300);
    await page.waitForTimeout(50);
  }
  await gap.scrollIntoViewIfNeeded();
  await gap.click();
  const [first] = await Promise.all([
    page.locator('[data-guard]').first(),
    page.getByText(/can work this shift/).waitFor(),
  ]);
  await page.waitForTimeout(1_000);
  const [from, to] = [middle(await first.boundingBox()), middle(await gap.boundingBox())];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(from[0] - 12, from[1], { steps: 3 });
  await page.mouse.move(...to, { steps: 10 });
  await page.locator('#carried').getByText('✓').waitFor();
  await page.evaluate(timeDrop);
  await page.mouse.up();
  const took = await page.evaluate(() => globalThis.dropTook);
  await page.waitForTimeout(1_000);
  const undone = page.waitForResponse(/rpc\/apply_roster/);
  await page.getByRole('button', { name: /^Undo: / }).click();
  await undone;
  await page.waitForTimeout(500);
  return took;
}

export async function rosterBoard() {
  await withServers(1, ([{ url }]) =>
    withBrowser(async (browser) => {
      const context = await signedIn(browser, url);
      const figures = { click: [], open: [], scroll: [], drag: [], saved: [] };
      let size = '';
      for (let round = 0; round < ROUNDS; round += 1) {
        const page = await context.newPage();
        await page.addInitScript(observeTasks);
        const session = await context.newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: CPU });
        figures.click.push(await click(page, url));
        figures.open.push(await open(page, url));
        size = await page.getByText(/ of .* filled/).textContent();
        await page.waitForTimeout(3_000);
        figures.scroll.push(await scroll(page));
        figures.drag.push(await drag(page));
        figures.saved.push(await drop(page));
        await page.close();
      }
      console.log(`Board of ${size.trim()}, processor ${CPU}x slower, median of ${ROUNDS}.\n`);
      table(
        ['Figure', 'Median', 'Worst'],
        [
          ['Opens, from another screen', figures.click],
          ['Opens, by its address', figures.open],
          ['Longest task while scrolling', figures.scroll],
          ['Longest task while dragging', figures.drag],
          ['Dropped until saved', figures.saved],
        ].map(([name, values]) => [
          name,
          milliseconds(median(values)),
          milliseconds(Math.max(...values)),
        ]),
      );
    }),
  );
}
