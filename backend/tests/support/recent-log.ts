// The newest requests and log lines of the servers that run in this process.
import { subscribe, tracingChannel } from 'node:diagnostics_channel';
import { z } from 'zod';
import { loggedPath } from '#backend/http/errors.ts';

const MOST = 30;
/** Characters of a line. */
const WIDTH = 300;

/** Node's message about a response that was sent. */
const Sent = z.object({
  request: z.object({ method: z.string(), url: z.string() }),
  response: z.object({ statusCode: z.number() }),
});
/** pino's message about a line. */
const Written = z.object({ result: z.string() });
const Line = z.looseObject({
  msg: z.string().optional(),
  err: z.object({ message: z.string() }).optional(),
});

const lines: string[] = [];

function note(text: string): void {
  const time = new Date().toISOString().slice(11, 23);
  lines.push(`${time} ${text.replaceAll('\n', ' ')}`.slice(0, WIDTH));
  if (lines.length > MOST) lines.shift();
}

// Without queries, which may contain tokens.
subscribe('http.server.response.finish', (message) => {
  const { request, response } = Sent.parse(message);
  note(`${request.method} ${loggedPath(request.url)} ${response.statusCode}`);
});
tracingChannel('pino_asJson').end.subscribe((message) => {
  const { msg, err } = Line.parse(JSON.parse(Written.parse(message).result));
  note([msg, err?.message].filter(Boolean).join(': '));
});

export function forgetLines(): void {
  lines.length = 0;
}

/** @returns oldest first */
export const linesSoFar = (): string[] => [...lines];
