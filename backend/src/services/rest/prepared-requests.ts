// Caches plans by URL: clients repeat the same requests, and planning costs as much as everything else that Node does for a
// small one. Plans of inserts and updates also depend on the columns in the body.
import type { SchemaCache } from './cache/model.ts';
import { jsonPayload, type Plan } from './plan/plan.ts';
import { rowsText } from './plan/write-plan.ts';
import type { Format } from './request/accept.ts';
import type { Limits, Query } from './request/model.ts';
import type { RestRequest } from './request/request.ts';
import type { Composed } from './sql/compose.ts';

export interface Prepared {
  plan: Plan;
  format: Format;
  composed: Composed;
}

/** Maximum plans of each kind. */
const LIMIT = 500;
/** Maximum characters of a query string, or of the body's columns, to cache: bounds the memory to a few megabytes. */
const MAX_KEY_LENGTH = 1000;

class LeastRecentlyUsed<T> {
  readonly #known = new Map<string, T>();

  get(key: string): T | undefined {
    const known = this.#known.get(key);
    if (known === undefined) return undefined;
    this.#known.delete(key);
    this.#known.set(key, known);
    return known;
  }

  set(key: string, made: T): void {
    if (this.#known.size >= LIMIT) {
      const oldest = this.#known.keys().next();
      if (!oldest.done) this.#known.delete(oldest.value);
    }
    this.#known.set(key, made);
  }
}

function keyOf(request: RestRequest): string {
  const { method, schema, path, search, range, accept, contentType, preferences } = request;
  const { count, handling, maxAffected, resolution, missing } = preferences;
  const prefer = [count, handling, maxAffected, resolution, missing, preferences.return].join('/');
  return [method, schema, range, accept, contentType, prefer, `${path}?${search}`].join('\0');
}

function withRows(made: Prepared, rows: string): Prepared {
  const { composed } = made;
  const { statement, bodyAt } = composed;
  if (bodyAt === undefined) return made;
  const values = statement.values.with(bodyAt, rows);
  return { ...made, composed: { ...composed, statement: { ...statement, values } } };
}

/** Bodies may be large, so they are not cached. */
function withoutRows(made: Prepared): Prepared {
  const { plan } = made;
  if (plan.kind !== 'write' || plan.write.kind === 'delete') return made;
  const bare: Plan = { ...plan, write: { ...plan.write, rows: '' } };
  return withRows({ ...made, plan: bare }, '');
}

export class PreparedRequests {
  #cache: SchemaCache | undefined;
  #reads = new LeastRecentlyUsed<Prepared>();
  /** Parsed URLs of writes; the plan also depends on the columns in the body. */
  #queries = new LeastRecentlyUsed<Query>();
  #writes = new LeastRecentlyUsed<Prepared>();

  /** @param make plans and composes a request that is not in the cache; errors are not cached */
  take(cache: SchemaCache, limits: Limits, request: RestRequest, make: () => Prepared): Prepared {
    if (request.search.length > MAX_KEY_LENGTH) return make();
    if (this.#cache !== cache) {
      this.#cache = cache;
      this.#reads = new LeastRecentlyUsed();
      this.#queries = new LeastRecentlyUsed();
      this.#writes = new LeastRecentlyUsed();
    }
    const { method, target } = request;
    if (request.isRead) return this.#read(request, make);
    const hasRows = target.kind === 'table' && (method === 'POST' || method === 'PATCH');
    return hasRows ? this.#write(limits, request, make) : make();
  }

  #read(request: RestRequest, make: () => Prepared): Prepared {
    const key = keyOf(request);
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#reads.set(key, made);
    return made;
  }

  #write(limits: Limits, request: RestRequest, make: () => Prepared): Prepared {
    const key = keyOf(request);
    const query = this.#queries.get(key);
    if (query === undefined) {
      const made = make();
      this.#queries.set(key, made.plan.query);
      return made;
    }
    const payload = jsonPayload(request, query, limits);
    // JSON, because a name may contain any separator.
    const columns = JSON.stringify(payload.keys);
    if (columns.length > MAX_KEY_LENGTH) return make();
    const shape = `${key}\0${columns}`;
    const known = this.#writes.get(shape);
    if (known !== undefined) return withRows(known, rowsText(payload));
    const made = make();
    if (made.composed.bodyAt !== undefined) this.#writes.set(shape, withoutRows(made));
    return made;
  }
}
