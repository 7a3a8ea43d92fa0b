import type { Field, JsonStep } from '../model.ts';
import type { Cursor } from './cursor.ts';

// A dash is part of a name unless it begins an arrow.
const NAME = /(?:[\p{L}\p{N}_ $*]|-(?!>))+/uy;
const JSON_KEY = /(?:[^(\-:.,>)]|-(?!>))+/uy;
const INDEX = /-?\d+(?=->|::|\.|,|\)|$)/y;
const TYPE = /[\p{L}\p{N}_ $]+/uy;
const LABEL = 'field name (* or [a..z0..9_$])';

/** `"a \" b"` with backslash escapes. */
export function quoted(cursor: Cursor): string | undefined {
  if (cursor.peek() !== '"') return undefined;
  const { text } = cursor;
  let value = '';
  for (let at = cursor.pos + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      cursor.pos = at + 1;
      return value;
    }
    if (char === '\\') at += 1;
    value += text[at] ?? '';
  }
  return cursor.missAs('end of input', ['"\\""'], text.length);
}

export function fieldName(cursor: Cursor): string | undefined {
  if (cursor.peek() === '"') return quoted(cursor);
  const name = cursor.take(NAME)?.trim();
  if (name === undefined || name === '') return cursor.missWord(LABEL);
  return name;
}

function jsonStep(cursor: Cursor): JsonStep | undefined {
  const asText = cursor.word('->>');
  if (!asText && !cursor.word('->')) return undefined;
  const index = cursor.take(INDEX);
  if (index !== undefined) return { kind: 'index', name: index, asText };
  const key = cursor.peek() === '"' ? quoted(cursor) : cursor.take(JSON_KEY)?.trim();
  if (key === undefined) {
    return cursor.miss('any non reserved character different from: .,>()');
  }
  return { kind: 'key', name: key, asText };
}

/** @returns undefined for an arrow without a key */
function jsonPath(cursor: Cursor): JsonStep[] | undefined {
  const path: JsonStep[] = [];
  while (cursor.text.startsWith('->', cursor.pos)) {
    const step = jsonStep(cursor);
    if (step === undefined) return undefined;
    path.push(step);
  }
  cursor.miss('"->>"', '"->"');
  return path;
}

/** A column with an optional JSON path. */
export function field(cursor: Cursor): Field | undefined {
  cursor.spaces();
  const isQuoted = cursor.peek() === '"';
  const name = fieldName(cursor);
  if (name === undefined) return undefined;
  if (!isQuoted) cursor.miss('letter', 'digit', '"-"');
  const path = jsonPath(cursor);
  if (path === undefined) return undefined;
  cursor.spaces();
  return { name, path };
}

/** A type name. Written into the statement unquoted, hence only letters, digits, `_`, `$` and spaces. */
export function typeName(cursor: Cursor): string | undefined {
  const name = cursor.take(TYPE)?.trim();
  return name === undefined || name === '' ? cursor.miss('letter', 'digit') : name;
}

/** Names joined by dots: embedded resources, and the field last. */
export function treePath(cursor: Cursor): { path: string[]; field: Field } | undefined {
  const names = cursor.list(() => fieldName(cursor), '.');
  const path = names && jsonPath(cursor);
  const name = names?.pop();
  if (names === undefined || path === undefined || name === undefined) return undefined;
  return { path: names, field: { name, path } };
}

/** Column names joined by commas. */
export const columnList = (cursor: Cursor): string[] | undefined =>
  cursor.list(() => {
    cursor.spaces();
    const name = fieldName(cursor);
    if (name !== undefined) cursor.spaces();
    return name;
  });
