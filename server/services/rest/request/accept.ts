// Content negotiation: the kind of body that the caller accepts (PROTOCOL.md 2.4).
import { mediaType } from '../errors/catalogue.ts';

export interface Answer {
  kind: 'array' | 'object' | 'csv';
  /** Nulls are left out of objects. */
  isStripped: boolean;
  contentType: string;
}

const CHARSET = '; charset=utf-8';
const JSON_TYPE = `application/json${CHARSET}`;
export const PLAIN: Answer = { kind: 'array', isStripped: false, contentType: JSON_TYPE };
const OBJECT = /^application\/vnd\.pgrst\.object(\+json)?$/;
const ARRAY = /^application\/vnd\.pgrst\.array(\+json)?$/;

function answerFor(type: string, parameters: string[]): Answer | undefined {
  const isStripped = parameters.includes('nulls=stripped');
  const suffix = `${isStripped ? ';nulls=stripped' : ''}${CHARSET}`;
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
  return undefined;
}

interface Accepted {
  type: string;
  parameters: string[];
  quality: number;
}

/** @returns the media types of an Accept header, most wanted first */
export function readAccepted(header: string): Accepted[] {
  return header
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
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

/** @throws RestError PGRST107 when nothing that the caller accepts can be made */
export function readAccept(header: string | undefined): Answer {
  if (header === undefined || header === '' || header === '*/*') return PLAIN;
  const accepted = readAccepted(header);
  for (const { type, parameters } of accepted) {
    const answer = answerFor(type, parameters);
    if (answer !== undefined) return answer;
  }
  if (accepted.length === 0) return PLAIN;
  throw mediaType(accepted.map(({ type }) => type).join(', '));
}
