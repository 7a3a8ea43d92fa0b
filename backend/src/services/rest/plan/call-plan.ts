import { arrayLiteral } from '../../../database/sql-text.ts';
import { keyOf, namesIn, type Parameter, type Routine, type SchemaCache } from '../cache/model.ts';
import { MIN_NAME_SCORE, mostSimilar } from '../cache/similar.ts';
import { RestError } from '../errors/catalogue.ts';
import type { Payload } from '../request/payload.ts';
import type { CallArguments, CallPlan } from './model.ts';

export type Given =
  | { kind: 'post'; payload: Payload; columns?: string[] | undefined }
  | { kind: 'get'; pairs: [string, string][] };

const BODY_TYPES: Record<string, readonly string[]> = {
  json: ['json', 'jsonb'],
  text: ['text'],
  xml: ['xml'],
  bytea: ['bytea'],
};

function namesGiven(given: Given): Set<string> {
  if (given.kind === 'get') return new Set(given.pairs.map(([name]) => name));
  const { payload, columns } = given;
  if (payload.kind === 'json') return new Set(columns ?? payload.keys);
  return new Set(payload.kind === 'form' ? payload.pairs.map(([name]) => name) : []);
}

function takesWholeBody(routine: Routine, given: Given): boolean {
  const [only, second] = routine.parameters;
  if (only === undefined || second !== undefined || given.kind === 'get') return false;
  const { payload } = given;
  if (payload.kind === 'form' || (payload.kind === 'json' && payload.isCsv)) return false;
  const types = BODY_TYPES[payload.kind === 'raw' ? payload.type : 'json'] ?? [];
  return only.name === '' && types.includes(only.type);
}

function fits(routine: Routine, names: Set<string>, given: Given): boolean {
  const { parameters } = routine;
  const isRaw = given.kind === 'post' && given.payload.kind === 'raw';
  if (parameters.length === 0) return names.size === 0 && !isRaw;
  const known = new Set(parameters.map(({ name }) => name));
  return (
    [...names].every((name) => known.has(name)) &&
    parameters.every(({ name, isRequired }) => !isRequired || names.has(name))
  );
}

const signature = ({ schema, name, parameters }: Routine): string =>
  `${schema}.${name}(${parameters.map((one) => `${one.name} => ${one.type}`).join(', ')})`;

/** PostgREST's order of the candidates. */
const byParameters = (a: Routine, b: Routine): number =>
  a.parameters.length - b.parameters.length ||
  compareTexts(a.description ?? '', b.description ?? '') ||
  compareTexts(parametersText(a), parametersText(b));

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const parametersText = ({ parameters }: Routine): string =>
  parameters.map(({ name, type }) => `${name}\0${type}`).join('\0');

function ambiguous(found: Routine[]): RestError {
  const candidates = [...found].sort(byParameters).map(signature).join(', ');
  return new RestError(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${candidates}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  );
}

function missing(
  cache: SchemaCache,
  schema: string,
  name: string,
  names: string[],
  given: Given,
): RestError {
  const full = `${schema}.${name}`;
  const list = [...names].sort().join(', ');
  const isPost = given.kind === 'post';
  const payload = isPost ? given.payload : undefined;
  const unnamed =
    payload?.kind === 'raw'
      ? ` with a single unnamed ${payload.type} parameter`
      : payload?.kind === 'json' && !payload.isCsv
        ? ' or with a single unnamed json/jsonb parameter'
        : '';
  const withNames =
    names.length === 0
      ? ' without parameters'
      : ` with parameter${names.length > 1 ? 's' : ''} ${list}`;
  const searched = payload?.kind === 'raw' ? `${full}${unnamed}` : `${full}${withNames}${unnamed}`;
  const overloads = cache.routines.get(keyOf(schema, name)) ?? [];
  let hint: string | null = null;
  if (payload?.kind === 'raw') {
    // There are no names to compare.
  } else if (overloads.length > 0) {
    const shapes = new Map(
      overloads.map((one) => {
        const shape = one.parameters
          .map((parameter) => parameter.name)
          .sort()
          .join(', ');
        return [`(${shape})`, `${full}${shape === '' ? ' without parameters' : `(${shape})`}`];
      }),
    );
    const like = mostSimilar(`(${list})`, shapes.keys());
    const shown = like === undefined ? undefined : shapes.get(like);
    if (shown !== undefined) hint = `Perhaps you meant to call the function ${shown}`;
  } else {
    const like = mostSimilar(name, namesIn(schema, cache.routines), MIN_NAME_SCORE);
    if (like !== undefined) hint = `Perhaps you meant to call the function ${schema}.${like}`;
  }
  const shown = names.length === 0 ? `${full} without parameters` : `${full}(${list})`;
  const head = payload?.kind === 'raw' ? full : shown;
  return new RestError(404, 'PGRST202', `Could not find the function ${head} in the schema cache`, {
    details: `Searched for the function ${searched}, but no matches were found in the schema cache.`,
    hint,
  });
}

function direct(parameters: Parameter[], pairs: [string, string][]): CallArguments {
  return {
    kind: 'direct',
    values: parameters.flatMap((parameter) => {
      const given = pairs.flatMap(([name, value]) => (name === parameter.name ? [value] : []));
      const last = given.at(-1);
      if (last === undefined) return [];
      const isList = parameter.isVariadic && !(given.length === 1 && /^\{.*\}$/s.test(last));
      return [{ parameter, value: isList ? arrayLiteral(given) : last }];
    }),
  };
}

function unnamed({ type }: Parameter, given: Given): CallArguments {
  const payload = given.kind === 'post' ? given.payload : undefined;
  if (payload?.kind === 'raw') {
    const isBytes = payload.type === 'bytea';
    const value = isBytes ? `\\x${payload.bytes.toString('hex')}` : payload.bytes.toString('utf8');
    return { kind: 'body', type, value };
  }
  if (payload?.kind === 'json') return { kind: 'body', type, value: payload.text };
  const pairs = given.kind === 'get' ? given.pairs : (payload?.pairs ?? []);
  const value = pairs.findLast(([name]) => name === '')?.[1];
  return value === undefined ? { kind: 'none' } : { kind: 'body', type, value };
}

function argumentsFor(routine: Routine, names: Set<string>, given: Given): CallArguments {
  const [only] = routine.parameters;
  if (only?.name === '' && (names.has('') || takesWholeBody(routine, given))) {
    return unnamed(only, given);
  }
  const parameters = routine.parameters.filter(({ name }) => names.has(name));
  if (parameters.length === 0) return { kind: 'none' };
  if (given.kind === 'get') return direct(parameters, given.pairs);
  const { payload } = given;
  if (payload.kind === 'form') return direct(parameters, payload.pairs);
  if (payload.kind === 'raw') return { kind: 'none' };
  return { kind: 'json', text: payload.text, isArray: payload.isArray, parameters };
}

/**
 * Chooses the overload that fits the given arguments (PostgREST docs, "Functions as RPC").
 * @throws RestError PGRST202 when none fits, PGRST203 when several do
 */
export function planCall(cache: SchemaCache, schema: string, name: string, given: Given): CallPlan {
  const overloads = cache.routines.get(keyOf(schema, name)) ?? [];
  const names = namesGiven(given);
  const named = overloads.filter((one) => fits(one, names, given));
  const found = named.length > 0 ? named : overloads.filter((one) => takesWholeBody(one, given));
  const [routine] = found;
  if (routine === undefined) throw missing(cache, schema, name, [...names], given);
  if (found.length > 1) throw ambiguous(found);
  return { routine, arguments: argumentsFor(routine, names, given) };
}
