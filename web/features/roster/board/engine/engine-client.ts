import type { RosterResult } from '#shared/roster/roster-result.ts';
import type { EngineRequest, EngineResponse } from './engine-messages.ts';

export interface EngineRun {
  /** The best roster when the time is over or the run was stopped. Rejects when the engine fails. */
  result: Promise<RosterResult>;
  /** Keeps the best roster so far; the first one, if there is none yet. */
  stop: () => void;
}

/**
 * Fills a roster in a worker, so that the page stays responsive.
 * @param request the input has the draft as it is on the board
 */
export function startEngine(
  request: EngineRequest,
  onProgress: (best: RosterResult) => void,
): EngineRun {
  const worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = withResolvers<RosterResult>();
  let best: RosterResult | undefined;
  let isStopped = false;
  const finish = (result: RosterResult) => {
    worker.terminate();
    resolve(result);
  };
  const fail = (message: string) => {
    worker.terminate();
    reject(new Error(message));
  };
  worker.onmessage = ({ data }: MessageEvent<EngineResponse>) => {
    if (data.type === 'failed') return fail(data.message);
    best = data.result;
    if (data.type === 'done' || isStopped) return finish(data.result);
    onProgress(data.result);
  };
  worker.onerror = ({ message }) => fail(message || 'The roster engine could not start.');
  worker.postMessage(request);
  return {
    result: promise,
    stop() {
      isStopped = true;
      // The worker is busy and reads no messages.
      if (best !== undefined) finish(best);
    },
  };
}

/** Promise.withResolvers is newer than the browsers that the portals support. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
