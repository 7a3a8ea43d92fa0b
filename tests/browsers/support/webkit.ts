// WebKitGTK's MiniBrowser over WebDriver, on a screen of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Driver, LaunchedBrowser } from './driver.ts';
import { givePosition, recordErrors } from './in-page.ts';

/** Without it the buttons beside the address make every window at least 447 px wide. */
const SMALL_BUTTONS =
  '* { font-size: 1px; padding: 0; margin: 0; border-width: 0; min-width: 0; min-height: 0; }';
const REDUCED_MOTION = '[Settings]\ngtk-enable-animations=0\n';
/** WebDriver's key of a reference to an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

const answer = z.object({ value: z.unknown().optional() });
const refusal = z.object({ error: z.string(), message: z.string() });
const session = z.object({
  sessionId: z.string(),
  capabilities: z.object({ browserVersion: z.string() }),
});
const settled = z.union([
  z.object({ value: z.unknown().optional() }),
  z.object({ error: z.string() }),
]);

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

const callerOf =
  (address: string): Call =>
  async (method, at, body) => {
    const response = await fetch(address + at, { method, body: body && JSON.stringify(body) });
    const { value } = answer.parse(await response.json());
    if (response.ok) return value;
    const { error, message } = refusal.parse(value);
    throw new Error(`${error}: ${message}`);
  };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function openScreen() {
  const child = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const [number] = await once(child.stdio[3] as Readable, 'data');
  return { child, display: `:${String(number).trim()}` };
}

/** A browser process with storage of its own. */
async function openWindow(call: Call): Promise<Driver & { version: string }> {
  const opened = session.parse(await call('POST', '/session', { capabilities: {} }));
  const at = `/session/${opened.sessionId}`;
  const post = (path: string, body: object) => call('POST', at + path, body);
  const execute = async (expression: string) => {
    const script = `const done = arguments[0];
      new Promise((resolve) => resolve(${expression})).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const outcome = settled.parse(await post('/execute/async', { script, args: [] }));
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome.value;
  };
  // WebDriver has no log. What goes wrong before the page has loaded is not recorded.
  const problems: string[] = [];
  const readErrors = async () => {
    problems.push(
      ...z.array(z.string()).parse(await execute('window.recordedErrors?.splice(0) ?? []')),
    );
  };
  return {
    version: `WebKitGTK ${opened.capabilities.browserVersion}`,
    navigate: async (url) => {
      await readErrors();
      await post('/url', { url });
      await execute(`[(${recordErrors})(), (${givePosition})()]`);
    },
    resize: async (width, height) => {
      // The page's part of the window, without the buttons.
      const bars = z.number().parse(await execute('outerHeight - innerHeight'));
      await post('/window/rect', { width, height: height + bars });
    },
    evaluate: execute,
    perform: async (actions) => {
      await post('/actions', { actions });
    },
    upload: async (element, file) => {
      const found = z.object({ [ELEMENT]: z.string() }).parse(await execute(element));
      await post(`/element/${found[ELEMENT]}/value`, { text: file });
    },
    screenshot: async () =>
      Buffer.from(z.string().parse(await call('GET', `${at}/screenshot`)), 'base64'),
    problems: async () => {
      await readErrors();
      return problems.splice(0);
    },
    close: async () => {
      await call('DELETE', at);
    },
  };
}

async function stop(child: ChildProcess) {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

export async function launchWebKit(program: string): Promise<LaunchedBrowser> {
  const settings = await mkdtemp(path.join(tmpdir(), 'statesman-webkit-'));
  await mkdir(path.join(settings, 'gtk-3.0'));
  await writeFile(path.join(settings, 'gtk-3.0', 'gtk.css'), SMALL_BUTTONS);
  await writeFile(path.join(settings, 'gtk-3.0', 'settings.ini'), REDUCED_MOTION);
  const screen = await openScreen();
  const port = await freePort();
  const child = spawn(program, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      LANG: 'en_US.UTF-8',
      DISPLAY: screen.display,
      GDK_BACKEND: 'x11',
      XDG_CONFIG_HOME: settings,
      // The screen has no graphics card.
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    },
  });
  const call = callerOf(`http://127.0.0.1:${port}`);
  while (!(await call('GET', '/status').catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${child.exitCode}.`);
    await pause(10);
  }
  return {
    openPage: () => openWindow(call),
    close: async () => {
      await stop(child);
      await stop(screen.child);
      await rm(settings, { recursive: true, force: true });
    },
  };
}
