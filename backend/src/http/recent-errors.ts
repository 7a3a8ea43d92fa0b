// The last errors that this process logged, for an operator who has no access to the log.
import type { FastifyServerOptions } from 'fastify';

const MOST = 50;
/** pino's level `error`. */
const ERROR = 50;

export interface RecentError {
  /** ISO 8601. */
  at: string;
  /** In the program's own words. */
  what: string;
  /** The error itself, without ids and values. */
  reason: string;
  requestId: string | undefined;
  /** Method and path, without ids. */
  request: string | undefined;
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Removes what may be an id, an address, a number or a value that a person entered. */
const redact = (text: string): string =>
  text
    .replace(UUID, '*')
    .replace(/\S+@\S+/g, '*')
    .replace(/(:\s*)["'].*["']/g, '$1*')
    .replace(/\+?\d{5,}/g, '*')
    .slice(0, 300);

interface Logged {
  err?: Error & { code?: unknown };
  req?: { method: string; path: string };
}

export class RecentErrors {
  readonly #errors: RecentError[] = [];

  /** Newest first. */
  list(): readonly RecentError[] {
    return this.#errors;
  }

  add({ err, req }: Logged, what: string, requestId: string | undefined): void {
    const code = err?.code === undefined ? '' : `${String(err.code)}: `;
    this.#errors.unshift({
      at: new Date().toISOString(),
      what: redact(what),
      reason: err === undefined ? '' : redact(`${code}${err.message}`),
      requestId,
      request: req && `${req.method} ${req.path.replace(UUID, '*').replace(/\d{5,}/g, '*')}`,
    });
    this.#errors.length = Math.min(this.#errors.length, MOST);
  }
}

type Hooks = Exclude<FastifyServerOptions['logger'], boolean | undefined>['hooks'];

/** @param pathOf the path of a URL without secrets */
export function rememberErrors(recent: RecentErrors, pathOf: (url: string) => string): Hooks {
  return {
    logMethod(args, method, level) {
      if (level >= ERROR) {
        const [first, second]: unknown[] = args;
        const { err, req } = logged(first, pathOf);
        const what = typeof second === 'string' ? second : typeof first === 'string' ? first : '';
        const { reqId } = this.bindings();
        recent.add({ ...(err && { err }), ...(req && { req }) }, what, textOf(reqId));
      }
      method.apply(this, args);
    },
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

function logged(value: unknown, pathOf: (url: string) => string): Logged {
  if (typeof value !== 'object' || value === null) return {};
  const err = Reflect.get(value, 'err');
  const req = Reflect.get(value, 'req');
  const isRequest = typeof req === 'object' && req !== null && typeof req.url === 'string';
  return {
    ...(err instanceof Error && { err }),
    ...(isRequest && { req: { method: String(req.method), path: pathOf(req.url) } }),
  };
}
