// Remembers what became of a read's URL: a screen asks the same again and again, and planning it costs as much as
// everything else that Node does for a small one.
import type { SchemaCache } from './cache/model.ts';
import type { Plan } from './plan/plan.ts';
import type { RestRequest } from './request/request.ts';
import type { Composed } from './sql/compose.ts';

export interface Prepared {
  plan: Plan;
  composed: Composed;
}

/** Reads kept, and the length of an address worth keeping: a few megabytes at most. */
const LIMIT = 500;
const LONGEST = 1000;

export class PreparedReads {
  #cache: SchemaCache | undefined;
  readonly #known = new Map<string, Prepared>();

  /** @param make plans and composes a request that is not known yet; what it throws is not remembered */
  take(cache: SchemaCache, request: RestRequest, make: () => Prepared): Prepared {
    if (!request.isRead || request.search.length > LONGEST) return make();
    if (this.#cache !== cache) {
      this.#known.clear();
      this.#cache = cache;
    }
    const { method, schema, path, search, range, accept, preferences } = request;
    const prefer = `${preferences.count}/${preferences.handling}/${preferences.maxAffected}`;
    const key = [method, schema, range, accept, prefer, `${path}?${search}`].join('\0');
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#known.delete(key);
      this.#known.set(key, known);
      return known;
    }
    const made = make();
    if (this.#known.size >= LIMIT) {
      const oldest = this.#known.keys().next();
      if (!oldest.done) this.#known.delete(oldest.value);
    }
    this.#known.set(key, made);
    return made;
  }
}
