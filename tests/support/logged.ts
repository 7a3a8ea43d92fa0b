// What the servers of this process write into their logs.
import { tracingChannel } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const ERROR = 50;

const Written = z.object({ result: z.string() });
const Line = z.looseObject({ level: z.number() });

/** @returns the lines of level error and above that are written from now on until the test ends */
export function loggedErrors(): readonly unknown[] {
  const lines: unknown[] = [];
  // pino announces each line that it writes.
  const { end } = tracingChannel('pino_asJson');
  const onLine = (message: unknown): void => {
    const line = Line.parse(JSON.parse(Written.parse(message).result));
    if (line.level >= ERROR) lines.push(line);
  };
  end.subscribe(onLine);
  onTestFinished(() => {
    end.unsubscribe(onLine);
  });
  return lines;
}
