// Transforms images in processes of their own: sharp's time limit does not stop an encoder, the end of a process does.
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import {
  clientGone,
  imageTooLarge,
  imageTooSlow,
  notAnImage,
  resultTooLarge,
  type StorageError,
} from '../errors.ts';
import type { Transform } from './transform.ts';
import { createTurns } from './turns.ts';

const AT_ONCE = Math.max(2, Math.min(4, availableParallelism()));
const TURNS = {
  atOnce: AT_ONCE,
  atOncePerShare: AT_ONCE / 2,
  waitingPerShare: 100,
  waiting: 1_000,
};
/** From the start of its turn, with reading the file. */
const LIMIT_MS = 10_000;
/** After which a process without work ends; the next image takes a fifth of a second longer. */
const IDLE_MS = 30_000;

const REFUSALS = { source: imageTooLarge, result: resultTooLarge, 'not an image': notAnImage };
const Answer = z.union([
  z.object({ data: z.instanceof(Buffer), type: z.string() }),
  z.object({ refusal: z.enum(['source', 'result', 'not an image']) }),
]);

export interface Image {
  data: Buffer;
  /** `image/webp` … */
  type: string;
}

export interface ImageJob {
  /** Opens the object's file. */
  read: () => Promise<Readable>;
  transform: Transform;
  /** Whether the client does. */
  acceptsWebp: boolean;
  /** Account or network whose turn it takes. */
  share: string;
  /** Aborts when the client has disconnected. */
  signal: AbortSignal;
}

export interface Images {
  /** @throws StorageError when it is no image, too large, takes too long, or the client is gone */
  transform(job: ImageJob): Promise<Image>;
  close(): void;
}

/** @param sourceDir absolute path of `backend/src` @param limitMs of one image */
export function openImages(sourceDir: string, limitMs = LIMIT_MS): Images {
  const program = path.join(sourceDir, 'services', 'storage', 'images', 'sharp-process.mjs');
  const turns = createTurns(TURNS);
  const processes = new Set<ChildProcess>();
  const idle = new Map<ChildProcess, NodeJS.Timeout>();

  const start = (): ChildProcess => {
    // No settings of the server: decoders read what strangers send.
    const { PATH, SystemRoot } = process.env;
    const child = fork(program, {
      execArgv: [],
      env: { PATH, SystemRoot },
      serialization: 'advanced',
    });
    child.unref();
    child.channel?.unref();
    processes.add(child);
    const forget = (): void => {
      processes.delete(child);
      clearTimeout(idle.get(child));
      idle.delete(child);
    };
    child.once('exit', forget);
    child.once('error', forget);
    return child;
  };

  const take = (): ChildProcess => {
    const [waiting] = [...idle].at(-1) ?? [];
    if (waiting === undefined) return start();
    clearTimeout(idle.get(waiting));
    idle.delete(waiting);
    return waiting;
  };

  const giveBack = (child: ChildProcess): void => {
    const end = (): void => {
      idle.delete(child);
      child.kill('SIGKILL');
    };
    idle.set(child, setTimeout(end, IDLE_MS).unref());
  };

  /** @param limit aborts with the error of the response */
  const inProcess = (job: object, limit: AbortSignal): Promise<unknown> => {
    const child = take();
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        limit.removeEventListener('abort', stop);
        child.removeAllListeners('message');
        child.off('exit', fail);
        child.off('error', failToStart);
        end();
      };
      // The turn ends with the process, or more of them could run than there are turns.
      const stop = (): void => void child.kill('SIGKILL');
      const fail = (code: number | null, signal: string | null): void =>
        settle(() =>
          reject(limit.aborted ? limit.reason : new Error(`sharp ended: ${code ?? signal}`)),
        );
      const failToStart = (error: Error): void => settle(() => reject(error));
      child.once('exit', fail);
      child.once('error', failToStart);
      child.once('message', (answer) =>
        settle(() => {
          giveBack(child);
          resolve(answer);
        }),
      );
      limit.addEventListener('abort', stop);
      child.send(job);
    });
  };

  const transform = async (
    { read, transform: wanted, acceptsWebp }: ImageJob,
    limit: AbortSignal,
  ): Promise<Image> => {
    const source = await readWithin(read, limit);
    const answer = Answer.parse(
      await inProcess({ source, transform: { ...wanted, acceptsWebp } }, limit),
    );
    if ('refusal' in answer) throw REFUSALS[answer.refusal]();
    return answer;
  };

  return {
    transform: (job) =>
      turns.run(job.share, job.signal, async () => {
        const limit = new AbortController();
        const leave = (): void => limit.abort(clientGone());
        const timer = setTimeout(() => limit.abort(imageTooSlow()), limitMs);
        job.signal.addEventListener('abort', leave);
        try {
          return await transform(job, limit.signal);
        } finally {
          clearTimeout(timer);
          job.signal.removeEventListener('abort', leave);
        }
      }),
    close: () => {
      for (const child of processes) child.kill('SIGKILL');
    },
  };
}

/** @throws the signal's reason as soon as it aborts, even while the store does not answer */
function readWithin(read: () => Promise<Readable>, limit: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let source: Readable | undefined;
    const stop = (): void => {
      source?.destroy();
      reject(limit.reason as StorageError);
    };
    limit.addEventListener('abort', stop, { once: true });
    read()
      .then((opened) => {
        source = opened;
        if (limit.aborted) opened.destroy();
        return buffer(opened);
      })
      .then(resolve, reject)
      .finally(() => limit.removeEventListener('abort', stop));
  });
}
