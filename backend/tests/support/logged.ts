import { tracingChannel } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const ERROR = 50;

const Written = z.object({ result: z.string() });
const Line = z.looseObject({ level: z.number() });

/** @param note called with each log line until the test ends */
function follow(note: (line: string) => void): void {
  // pino publishes each line on a diagnostics channel.
  const { end } = tracingChannel('pino_asJson');
  const onLine = (message: unknown): void => note(Written.parse(message).result);
  end.subscribe(onLine);
  onTestFinished(() => {
    end.unsubscribe(onLine);
  });
}

/** @returns the lines of all levels, as text */
export function loggedLines(): readonly string[] {
  const lines: string[] = [];
  follow((line) => lines.push(line));
  return lines;
}

/** @returns the lines of level error and above */
export function loggedErrors(): readonly unknown[] {
  const lines: unknown[] = [];
  follow((text) => {
    const line = Line.parse(JSON.parse(text));
    if (line.level >= ERROR) lines.push(line);
  });
  return lines;
}
