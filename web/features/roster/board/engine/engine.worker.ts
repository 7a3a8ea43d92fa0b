import { fillRoster } from '#shared/roster/engine.ts';
import type { EngineRequest, EngineResponse } from './engine-messages.ts';

const REPORT_EVERY_MS = 500;

const send = (response: EngineResponse) => postMessage(response);

addEventListener('message', ({ data }: MessageEvent<EngineRequest>) => {
  const { input, seconds, ...options } = data;
  const started = performance.now();
  let reported = started;
  try {
    const result = fillRoster(input, {
      ...options,
      used: () => (performance.now() - started) / 1000 / seconds,
      isReportDue: () => performance.now() - reported >= REPORT_EVERY_MS,
      onProgress(best) {
        reported = performance.now();
        send({ type: 'progress', result: best });
      },
    });
    send({ type: 'done', result });
  } catch (error) {
    send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});
