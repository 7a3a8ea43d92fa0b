// The body of a write or a call. JSON is passed to the database as text, so that numbers keep every digit; here it is only
// validated and its column names are read.
import { invalidBody, RestError } from '../errors/catalogue.ts';
import { decodeQuery, utf8 } from './decode.ts';

export type Payload =
  | {
      kind: 'json';
      text: string;
      isArray: boolean;
      /** Keys of the first object. */
      keys: string[];
      isCsv?: boolean;
    }
  | { kind: 'form'; pairs: [name: string, value: string][] }
  | { kind: 'raw'; type: 'text' | 'xml' | 'bytea'; bytes: Buffer };

/** @param most levels of arrays and objects */
function checkDepth(text: string, most: number): void {
  // Every level takes at least one character.
  if (text.length <= most) return;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 0x5c) at += 1;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x5b || char === 0x7b) {
      depth += 1;
      if (depth > most) {
        throw invalidBody(`The JSON is nested too deeply: at most ${most} levels are allowed`);
      }
    } else if (char === 0x5d || char === 0x7d) depth -= 1;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string, jsonDepth: number): unknown {
  try {
    const value: unknown = JSON.parse(text);
    checkDepth(text, jsonDepth);
    return value;
  } catch (error) {
    throw error instanceof RestError ? error : invalidBody('Empty or invalid json');
  }
}

function readJson(text: string, { needsKeys, jsonDepth }: PayloadOptions): Payload {
  const value = parseJson(text, jsonDepth);
  if (isObject(value)) {
    return { kind: 'json', text, isArray: false, keys: Object.keys(value) };
  }
  if (!Array.isArray(value)) throw invalidBody('Empty or invalid json');
  const rows: unknown[] = value;
  if (!rows.every(isObject)) throw invalidBody('All object keys must match');
  const keys = Object.keys(rows[0] ?? {});
  if (needsKeys) {
    const known = new Set(keys);
    const same = (row: Record<string, unknown>): boolean => {
      const names = Object.keys(row);
      return names.length === known.size && names.every((name) => known.has(name));
    };
    if (!rows.every((row) => isObject(row) && same(row)))
      throw invalidBody('All object keys must match');
  }
  return { kind: 'json', text, isArray: true, keys };
}

interface PayloadOptions {
  /** All objects must have the same keys, unless the `columns` parameter names them. */
  needsKeys: boolean;
  /** For a call an empty body means no arguments, and a single unnamed parameter may take a body that is not JSON. */
  isCall: boolean;
  jsonDepth: number;
}

/** @throws RestError PGRST102, 22021 */
export function readPayload(
  contentType: string | undefined,
  body: Buffer,
  options: PayloadOptions,
): Payload {
  const type = (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (options.isCall && type === 'application/octet-stream')
    return { kind: 'raw', type: 'bytea', bytes: body };
  const text = utf8(body);
  if (type === 'application/json' || /^application\/vnd\.pgrst\.(object|array)/.test(type)) {
    if (options.isCall) return readCallJson(text, options.jsonDepth);
    return readJson(text, options);
  }
  if (type === 'application/x-www-form-urlencoded') {
    const pairs = decodeQuery(text).map(([name, value = '']): [string, string] => [name, value]);
    if (options.isCall) return { kind: 'form', pairs };
    return readJson(JSON.stringify(Object.fromEntries(pairs)), { ...options, needsKeys: false });
  }
  if (type === 'text/csv') {
    const { columns, rows } = readCsv(text);
    const json = JSON.stringify(rows);
    return { kind: 'json', text: json, isArray: true, keys: columns, isCsv: true };
  }
  if (options.isCall && type === 'text/plain') return { kind: 'raw', type: 'text', bytes: body };
  if (options.isCall && type === 'text/xml') return { kind: 'raw', type: 'xml', bytes: body };
  throw invalidBody(`Content-Type not acceptable: ${type}`);
}

/** A function with one unnamed JSON parameter takes any JSON. */
function readCallJson(text: string, jsonDepth: number): Payload {
  if (text.trim() === '') return { kind: 'json', text: '{}', isArray: false, keys: [] };
  const value = parseJson(text, jsonDepth);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const keys = isObject(first) ? Object.keys(first) : [];
  return { kind: 'json', text, isArray: Array.isArray(value), keys };
}

/** @returns the fields of each line (RFC 4180) */
function lines(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let value: string;
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      value = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      const end = text.slice(at).search(/[,\r\n]/);
      value = end < 0 ? text.slice(at) : text.slice(at, at + end);
      at += value.length;
    }
    row.push(value);
    if (text[at] === ',') {
      at += 1;
      // A comma at the end is followed by an empty field.
      if (at >= text.length) row.push('');
      continue;
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n')
      throw invalidBody('Empty or invalid CSV');
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) throw invalidBody('Empty or invalid CSV');
    if (text[at + 1] !== '"') return at;
  }
}

/**
 * The first line names the columns; `NULL` is null (PostgREST docs, "Insert").
 * @throws RestError PGRST102
 */
function readCsv(text: string): {
  columns: string[];
  rows: Record<string, string | null>[];
} {
  const [columns, ...rows] = lines(text);
  if (columns === undefined) throw invalidBody('Empty or invalid CSV');
  if (rows.some((row) => row.length !== columns.length)) {
    throw invalidBody('All lines must have same number of fields');
  }
  return {
    columns,
    rows: rows.map((row) =>
      Object.fromEntries(
        row.map((value, index) => [columns[index] ?? '', value === 'NULL' ? null : value]),
      ),
    ),
  };
}
