// Firefox over WebDriver BiDi, which it serves itself.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Driver, LaunchedBrowser } from './driver.ts';

const PREFERENCES = {
  'ui.prefersReducedMotion': 1,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'permissions.default.geo': 1,
  'geo.provider.testing': true,
  'geo.provider.network.url': `data:application/json,${JSON.stringify({
    location: { lat: 6.30001, lng: -10.80002 },
    accuracy: 12,
  })}`,
};

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  result: z.unknown().optional(),
  params: z.unknown().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
});
const logged = z.object({ type: z.string(), level: z.string(), text: z.string().nullable() });
const evaluated = z.object({
  type: z.string(),
  result: z.object({ value: z.unknown().optional(), sharedId: z.string().optional() }).optional(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});

type Send = (method: string, params: object) => Promise<unknown>;

/** @param onLog called with each message of the console and each uncaught error */
async function connect(address: string, onLog: (params: unknown) => void) {
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  let last = 0;
  const waiting = new Map<
    number,
    { resolve: (result: unknown) => void; reject: (error: Error) => void }
  >();
  socket.on('message', (data) => {
    const {
      id,
      method,
      result,
      params,
      error,
      message: reason,
    } = message.parse(JSON.parse(String(data)));
    if (method === 'log.entryAdded') onLog(params);
    if (id === undefined) return;
    const caller = waiting.get(id);
    waiting.delete(id);
    if (error) caller?.reject(new Error(`${error}: ${reason}`));
    else caller?.resolve(result);
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox closed the connection.'));
  });
  const send: Send = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return send;
}

/** A tab with storage of its own. */
async function openTab(send: Send, version: string, problems: string[]): Promise<Driver> {
  const { userContext } = z
    .object({ userContext: z.string() })
    .parse(await send('browser.createUserContext', {}));
  const { context } = z
    .object({ context: z.string() })
    .parse(await send('browsingContext.create', { type: 'tab', userContext }));
  const call = async (expression: string) => {
    const answer = evaluated.parse(
      await send('script.evaluate', {
        expression,
        target: { context },
        awaitPromise: true,
        userActivation: true,
      }),
    );
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails?.text);
    return answer.result;
  };
  return {
    version,
    navigate: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    resize: async (width, height) => {
      await send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    evaluate: async (expression) => (await call(expression))?.value,
    perform: async (actions) => {
      await send('input.performActions', { context, actions });
    },
    upload: async (element, file) => {
      const found = await call(element);
      await send('input.setFiles', {
        context,
        element: { sharedId: found?.sharedId },
        files: [file],
      });
    },
    screenshot: async () => {
      const { data } = z
        .object({ data: z.string() })
        .parse(await send('browsingContext.captureScreenshot', { context }));
      return Buffer.from(data, 'base64');
    },
    problems: async () => problems.splice(0),
    close: async () => {
      await send('browser.removeUserContext', { userContext });
    },
  };
}

export async function launchFirefox(program: string): Promise<LaunchedBrowser> {
  const profile = await mkdtemp(path.join(tmpdir(), 'statesman-firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(path.join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(
    program,
    ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (found) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}.`)));
  });
  const problems: string[] = [];
  const send = await connect(address, (params) => {
    const { type, level, text } = logged.parse(params);
    const isUncaught = type === 'javascript';
    if (level === 'error') problems.push(`${isUncaught ? 'Uncaught: ' : ''}${text}`);
  });
  const { capabilities } = z
    .object({ capabilities: z.object({ browserVersion: z.string() }) })
    .parse(await send('session.new', { capabilities: {} }));
  await send('session.subscribe', { events: ['log.entryAdded'] });
  return {
    openPage: () => openTab(send, `Firefox ${capabilities.browserVersion}`, problems),
    close: async () => {
      child.kill();
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}
