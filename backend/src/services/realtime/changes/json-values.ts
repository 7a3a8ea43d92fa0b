// Converts PostgreSQL's text of a value to JSON text, as to_jsonb would print it. No value is parsed, so none is rounded.
import pg from 'pg';

/** Conversion of a type; `text` is a JSON string of PostgreSQL's text. */
export type Kind = 'number' | 'boolean' | 'json' | 'timestamp' | 'timestamptz' | 'text';

export interface ValueType {
  kind: Kind;
  isArray: boolean;
}

const KINDS: Record<string, Kind> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  json: 'json',
  jsonb: 'json',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
};

/** @param name pg_type.typname of the base type or the array's element type */
export function kindOf(name: string): Kind {
  return KINDS[name] ?? 'text';
}

type Nested = (string | null | Nested)[];
// The type ids in @types/pg lack text[], which the library supports.
const TEXT_ARRAY = 1009 as Parameters<typeof pg.types.getTypeParser>[0];
const parseArray: (text: string) => Nested = pg.types.getTypeParser(TEXT_ARRAY);

/** '2026-01-02 03:04:05.678901+00' → '2026-01-02T03:04:05.678901+00:00' */
function isoTime(text: string, zoned: boolean): string {
  const iso = text.replace(/^([+\d]\d*-\d\d-\d\d) /, '$1T');
  return zoned ? iso.replace(/([+-]\d\d)(?= BC$|$)/, '$1:00') : iso;
}

function scalar(text: string, kind: Kind): string {
  switch (kind) {
    case 'number':
      // NaN and Infinity are not JSON numbers.
      return /^-?\d/.test(text) ? text : JSON.stringify(text);
    case 'boolean':
      return text === 't' ? 'true' : 'false';
    case 'json':
      return text;
    case 'timestamp':
    case 'timestamptz':
      return JSON.stringify(isoTime(text, kind === 'timestamptz'));
    default:
      return JSON.stringify(text);
  }
}

function nested(items: Nested, kind: Kind): string {
  const parts = items.map((item) => {
    if (item === null) return 'null';
    return Array.isArray(item) ? nested(item, kind) : scalar(item, kind);
  });
  return `[${parts.join(',')}]`;
}

export function jsonText(text: string | null, type: ValueType): string {
  if (text === null) return 'null';
  return type.isArray ? nested(parseArray(text), type.kind) : scalar(text, type.kind);
}
