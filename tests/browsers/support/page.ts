// The verbs of the steps, the same in both browsers: what is not there yet is waited for.
import { setTimeout as pause } from 'node:timers/promises';
import type { Driver } from './driver.ts';
import { type Found, find, type SentTarget, type Target, tooWide } from './in-page.ts';

/** Long enough for a slow machine: only a failure takes it. */
const LIMIT_MS = 60_000;
const KEYS: Record<string, string> = {
  Control: '\uE009',
  Enter: '\uE007',
  Escape: '\uE00C',
  Space: ' ',
  Tab: '\uE004',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

const sent = ({ role, name, nth }: Target): SentTarget => ({
  role,
  ...(name instanceof RegExp ? { pattern: name.source } : name && { name }),
  ...(nth !== undefined && { nth }),
});

export const button = (name: string | RegExp): Target => ({ role: 'button', name });
export const link = (name: string | RegExp): Target => ({ role: 'link', name });
export const field = (name: string | RegExp): Target => ({ role: 'textbox', name });
export const text = (name: string | RegExp): Target => ({ role: 'text', name });

export type Page = ReturnType<typeof pageOf>;

/** @param base address of the server */
export function pageOf(driver: Driver, base: string) {
  /** Runs a function in the page. It uses nothing outside itself, and its arguments and result are JSON. */
  const run = async <A extends unknown[], R>(work: (...args: A) => R, ...args: A) => {
    const call = `(async () => JSON.stringify(await (${work})(${args.map((arg) => JSON.stringify(arg)).join()})))()`;
    const result = await driver.evaluate(call);
    const value: Awaited<R> = typeof result === 'string' ? JSON.parse(result) : undefined;
    return value;
  };

  /** @param check returns why it is not yet so */
  async function until(what: string, check: () => Promise<string | undefined>): Promise<void> {
    const end = Date.now() + LIMIT_MS;
    let reason = await check();
    while (reason !== undefined) {
      if (Date.now() > end) throw new Error(`${what} ${reason}`);
      await pause(30);
      reason = await check();
    }
  }

  async function reach(target: Target, isText: boolean): Promise<Found> {
    let found: Found | string = '';
    await until(`${target.role} ${target.name ?? ''}`, async () => {
      found = await run(find, sent(target), isText);
      return typeof found === 'string' ? found : undefined;
    });
    if (typeof found === 'string') throw new Error(found);
    return found;
  }

  const mouse = (actions: object[]) =>
    driver.perform([
      { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions },
    ]);
  const moveTo = ({ x, y }: Pick<Found, 'x' | 'y'>) => ({ type: 'pointerMove', x, y, duration: 0 });
  const DOWN = { type: 'pointerDown', button: 0 };
  const UP = { type: 'pointerUp', button: 0 };

  const keyboard = (keys: { type: 'keyDown' | 'keyUp'; value: string }[]) =>
    driver.perform([{ type: 'key', id: 'keyboard', actions: keys }]);

  const page = {
    run,
    until,
    /** Opens a path of the server. */
    async open(path: string) {
      await driver.navigate(new URL(path, base).href);
    },
    resize: driver.resize,
    /** Waits until it is shown. @returns its text */
    sees: async (target: Target) => (await reach(target, true)).text,
    async seesNo(target: Target) {
      await until(`${target.role} ${target.name ?? ''}`, async () =>
        typeof (await run(find, sent(target), true)) === 'string' ? undefined : 'is still shown',
      );
    },
    async click(target: Target) {
      await mouse([moveTo(await reach(target, false)), DOWN, UP]);
    },
    /** Drags with the mouse. @param follower selector of what follows the pointer */
    async drag(from: Target, to: Target, follower: string) {
      const [start, end] = [await reach(from, false), await reach(to, false)];
      await mouse([moveTo(start), DOWN, moveTo({ x: start.x + 12, y: start.y + 4 })]);
      await until(follower, async () => {
        const isShown = await run(
          (selector: string) => Boolean(document.querySelector(selector)?.textContent),
          follower,
        );
        return isShown ? undefined : 'is not shown';
      });
      await mouse([moveTo(end), UP]);
    },
    /** Presses one key, or several together: `Control+a`. */
    async press(keys: string) {
      const values = keys.split('+').map((key) => KEYS[key] ?? key);
      const down = values.map((value) => ({ type: 'keyDown' as const, value }));
      const up = values.toReversed().map((value) => ({ type: 'keyUp' as const, value }));
      await keyboard([...down, ...up]);
    },
    async type(words: string) {
      await keyboard(
        [...words].flatMap((value) => [
          { type: 'keyDown' as const, value },
          { type: 'keyUp' as const, value },
        ]),
      );
    },
    /** Replaces what is in the field. */
    async fill(target: Target, words: string) {
      await page.click(target);
      await page.press('Control+a');
      await page.type(words);
    },
    /** Sets what has a picker of the browser's own, which is no part of the page: a date, or a choice from a list. */
    async choose(target: Target, value: string) {
      await reach(target, false);
      await run(
        (name: string, chosen: string) => {
          const control = [...document.querySelectorAll('input, select')].find(
            (one) =>
              (one instanceof HTMLInputElement || one instanceof HTMLSelectElement) &&
              [...(one.labels ?? [])].some(({ textContent }) =>
                textContent?.trim().startsWith(name),
              ),
          );
          if (!control) throw new Error(`There is no ${name}.`);
          const setter = Object.getOwnPropertyDescriptor(
            Object.getPrototypeOf(control),
            'value',
          )?.set;
          setter?.call(control, chosen);
          control.dispatchEvent(new Event('input', { bubbles: true }));
          control.dispatchEvent(new Event('change', { bubbles: true }));
        },
        String(target.name),
        value,
      );
    },
    upload: (selector: string, file: string) =>
      driver.upload(`document.querySelector(${JSON.stringify(selector)})`, file),
    /** Nothing is wider than the window, so the page doesn't scroll sideways. */
    async fits() {
      await until('The page', async () => {
        const wide = await run(tooWide);
        return wide.length > 0 ? `is wider than the window: ${wide.join('\n')}` : undefined;
      });
    },
    screenshot: driver.screenshot,
    problems: driver.problems,
    close: driver.close,
  };
  return page;
}
