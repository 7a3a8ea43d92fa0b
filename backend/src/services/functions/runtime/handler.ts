export interface Info {
  remoteAddr: { hostname: string; port: number; transport: 'tcp' };
  completed: Promise<void>;
}
export type Handler = (request: Request, info: Info) => Response | Promise<Response>;
type OnError = (error: unknown) => Response | Promise<Response>;

let current: { handler: Handler; onError: OnError | undefined } | undefined;

export function register(handler: Handler, onError?: OnError): void {
  current = { handler, onError };
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

/** Instead of calling Deno.serve, a module may export `{ fetch }` as its default. */
export function registerDefault(module: Record<string, unknown>): void {
  const exported = module.default;
  if (current !== undefined || typeof exported !== 'object' || exported === null) return;
  if ('fetch' in exported && isHandler(exported.fetch)) register(exported.fetch.bind(exported));
}

export function hasHandler(): boolean {
  return current !== undefined;
}

/** @throws the handler's error, unless it has an `onError` */
export async function handle(request: Request, info: Info): Promise<Response> {
  if (current === undefined) throw new Error('The function never called Deno.serve.');
  try {
    return await current.handler(request, info);
  } catch (error) {
    if (current.onError === undefined) throw error;
    return current.onError(error);
  }
}
