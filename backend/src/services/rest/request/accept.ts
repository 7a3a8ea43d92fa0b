import type { MediaHandler } from '../cache/model.ts';
import { mediaType } from '../errors/catalogue.ts';

export interface Format {
  kind: 'array' | 'object' | 'csv' | 'geojson' | 'custom';
  /** Builds the body of a custom media type. */
  handler?: MediaHandler;
  /** Removes nulls from objects. */
  isStripped: boolean;
  contentType: string;
  /** Requests the execution plan instead of the result. */
  plan?: { format: 'json' | 'text'; options: string[] };
}

/** Options of EXPLAIN, in the order of the Content-Type. */
const PLAN_OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal', 'summary'];
const PLAN = /^application\/vnd\.pgrst\.plan(?:\+(json|text))?$/;

const CHARSET = '; charset=utf-8';
const builtIn = (kind: Format['kind'], type: string, isStripped = false): Format => {
  return { kind, isStripped, contentType: `${type}${CHARSET}` };
};
export const JSON_ARRAY = builtIn('array', 'application/json');
const GEOJSON = 'application/geo+json';
/** Types to which PostgREST adds the charset. */
const WITH_CHARSET = new Set(['application/json', GEOJSON, 'text/csv', 'text/plain', 'text/xml']);
const OBJECT = /^application\/vnd\.pgrst\.object(\+json)?$/;
const ARRAY = /^application\/vnd\.pgrst\.array(\+json)?$/;

/** `for="application/json"`, `options=analyze|verbose` */
function parameterOf(parameters: string[], name: string): string | undefined {
  const found = parameters.find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1).replace(/^"(.*)"$/, '$1');
}

function planFor(
  format: string | undefined,
  parameters: string[],
  handlerOf: HandlerOf,
): Format | undefined {
  const target = parameterOf(parameters, 'for') ?? 'application/json';
  const [type = '', ...more] = target.split(';');
  const explained = formatFor(type, more, handlerOf);
  if (explained === undefined) return undefined;
  const asked = parameterOf(parameters, 'options')?.split('|') ?? [];
  const options = PLAN_OPTIONS.filter((option) => asked.includes(option));
  const suffix = options.length === 0 ? '' : `; options=${options.join('|')}`;
  const name = `application/vnd.pgrst.plan+${format ?? 'text'}`;
  return {
    ...explained,
    contentType: `${name}; for="${explained.contentType.replace(CHARSET, '')}"${suffix}${CHARSET}`,
    plan: { format: format === 'json' ? 'json' : 'text', options },
  };
}

/** @returns the database's handler for a media type of the target, if any */
type HandlerOf = (type: string) => MediaHandler | undefined;

function custom(handler: MediaHandler): Format {
  const { mediaType: type } = handler;
  return {
    kind: 'custom',
    handler,
    isStripped: false,
    contentType: WITH_CHARSET.has(type) ? `${type}${CHARSET}` : type,
  };
}

function formatFor(type: string, parameters: string[], handlerOf: HandlerOf): Format | undefined {
  const isStripped = parameters.includes('nulls=stripped');
  const handler = type.startsWith('application/vnd.pgrst.') ? undefined : handlerOf(type);
  if (handler !== undefined) return custom(handler);
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return JSON_ARRAY;
  const suffix = isStripped ? '+json;nulls=stripped' : '+json';
  if (OBJECT.test(type)) {
    return builtIn('object', `application/vnd.pgrst.object${suffix}`, isStripped);
  }
  if (ARRAY.test(type)) {
    return isStripped ? builtIn('array', `application/vnd.pgrst.array${suffix}`, true) : JSON_ARRAY;
  }
  if (type === 'text/csv') return builtIn('csv', type);
  if (type === GEOJSON) return builtIn('geojson', type);
  return undefined;
}

interface Accepted {
  type: string;
  parameters: string[];
  quality: number;
}

/** Splits at separators outside quotes. */
function parts(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator);
  const found = text.match(separator === ',' ? /(?:"[^"]*"|[^,])+/g : /(?:"[^"]*"|[^;])+/g);
  return found ?? [];
}

/** @returns the media types of an Accept header, by descending quality */
export function readAccepted(header: string): Accepted[] {
  return parts(header, ',')
    .map((part) => {
      const [type = '', ...parameters] = parts(part, ';').map((word) => word.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return {
        type,
        parameters,
        quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0,
      };
    })
    .filter(({ type }) => type !== '')
    .sort((a, b) => b.quality - a.quality);
}

/**
 * @param allowsPlans whether callers may see execution plans
 * @throws RestError PGRST107 when no format is acceptable
 */
export function readAccept(
  header: string | undefined,
  allowsPlans: boolean,
  handlerOf: HandlerOf,
): Format {
  const accepted = readAccepted(header || '*/*');
  for (const { type, parameters } of accepted) {
    const plan = PLAN.exec(type);
    if (plan !== null && !allowsPlans) continue;
    const format =
      plan === null
        ? formatFor(type, parameters, handlerOf)
        : planFor(plan[1], parameters, handlerOf);
    if (format !== undefined) return format;
  }
  if (accepted.length === 0) return JSON_ARRAY;
  throw mediaType(
    accepted.map(({ type, parameters }) => [type, ...parameters].join('; ')).join(', '),
  );
}
