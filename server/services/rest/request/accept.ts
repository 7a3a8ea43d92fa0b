// Content negotiation: the kind of body that the caller accepts (PROTOCOL.md 2.4).
import type { MediaHandler } from '../cache/model.ts';
import { mediaType } from '../errors/catalogue.ts';

export interface Answer {
  kind: 'array' | 'object' | 'csv' | 'geojson' | 'custom';
  /** Makes the body of a custom media type. */
  handler?: MediaHandler;
  /** Nulls are left out of objects. */
  isStripped: boolean;
  contentType: string;
  /** The plan is wanted, and not the result. */
  plan?: { format: 'json' | 'text'; options: string[] };
}

/** What EXPLAIN can be asked to add, in the order in which it is told back. */
const PLAN_OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal', 'summary'];
const PLAN = /^application\/vnd\.pgrst\.plan(?:\+(json|text))?$/;

const CHARSET = '; charset=utf-8';
const JSON_TYPE = `application/json${CHARSET}`;
export const PLAIN: Answer = { kind: 'array', isStripped: false, contentType: JSON_TYPE };
const GEOJSON = 'application/geo+json';
/** Types that PostgREST names with their encoding. */
const TEXTS = new Set(['application/json', GEOJSON, 'text/csv', 'text/plain', 'text/xml']);
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
): Answer | undefined {
  const wanted = parameterOf(parameters, 'for') ?? 'application/json';
  const [type = '', ...more] = wanted.split(';');
  const answer = answerFor(type, more, handlerOf);
  if (answer === undefined) return undefined;
  const asked = parameterOf(parameters, 'options')?.split('|') ?? [];
  const options = PLAN_OPTIONS.filter((option) => asked.includes(option));
  const told = options.length === 0 ? '' : `; options=${options.join('|')}`;
  const name = `application/vnd.pgrst.plan+${format ?? 'text'}`;
  return {
    ...answer,
    contentType: `${name}; for="${answer.contentType.replace(CHARSET, '')}"${told}${CHARSET}`,
    plan: { format: format === 'json' ? 'json' : 'text', options },
  };
}

/** @returns what the database has for a media type of this target */
type HandlerOf = (type: string) => MediaHandler | undefined;

function custom(handler: MediaHandler): Answer {
  const { mediaType: type } = handler;
  return {
    kind: 'custom',
    handler,
    isStripped: false,
    contentType: TEXTS.has(type) ? `${type}${CHARSET}` : type,
  };
}

function answerFor(type: string, parameters: string[], handlerOf: HandlerOf): Answer | undefined {
  const isStripped = parameters.includes('nulls=stripped');
  const suffix = `${isStripped ? ';nulls=stripped' : ''}${CHARSET}`;
  const handler = type.startsWith('application/vnd.pgrst.') ? undefined : handlerOf(type);
  if (handler !== undefined) return custom(handler);
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return PLAIN;
  if (OBJECT.test(type)) {
    return {
      kind: 'object',
      isStripped,
      contentType: `application/vnd.pgrst.object+json${suffix}`,
    };
  }
  if (ARRAY.test(type)) {
    if (!isStripped) return PLAIN;
    return { kind: 'array', isStripped, contentType: `application/vnd.pgrst.array+json${suffix}` };
  }
  if (type === 'text/csv')
    return { kind: 'csv', isStripped: false, contentType: `text/csv${CHARSET}` };
  if (type === GEOJSON)
    return { kind: 'geojson', isStripped: false, contentType: `${GEOJSON}${CHARSET}` };
  return undefined;
}

interface Accepted {
  type: string;
  parameters: string[];
  quality: number;
}

/** Splits where the separator stands outside quotes. */
function parts(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator);
  const found = text.match(separator === ',' ? /(?:"[^"]*"|[^,])+/g : /(?:"[^"]*"|[^;])+/g);
  return found ?? [];
}

/** @returns the media types of an Accept header, most wanted first */
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
 * @param allowsPlans whether the plan of a request may be seen
 * @param handlerOf the media types that the database adds for the target
 * @throws RestError PGRST107 when nothing that the caller accepts can be made
 */
export function readAccept(
  header: string | undefined,
  allowsPlans: boolean,
  handlerOf: HandlerOf,
): Answer {
  const accepted = readAccepted(header || '*/*');
  for (const { type, parameters } of accepted) {
    const plan = PLAN.exec(type);
    if (plan !== null && !allowsPlans) continue;
    const answer =
      plan === null
        ? answerFor(type, parameters, handlerOf)
        : planFor(plan[1], parameters, handlerOf);
    if (answer !== undefined) return answer;
  }
  if (accepted.length === 0) return PLAIN;
  throw mediaType(
    accepted.map(({ type, parameters }) => [type, ...parameters].join('; ')).join(', '),
  );
}
