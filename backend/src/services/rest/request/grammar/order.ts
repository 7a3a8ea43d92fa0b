// `col[.asc|.desc][.nullsfirst|.nullslast],…`, and `relation(col).desc` for an embedded to-one resource.
import type { OrderTerm } from '../model.ts';
import type { Cursor } from './cursor.ts';
import { field, fieldName } from './names.ts';

function suffix(cursor: Cursor, words: readonly string[]): string | undefined {
  return cursor.attempt(() =>
    cursor.delimiter() ? words.find((word) => cursor.word(word)) : undefined,
  );
}

function term(cursor: Cursor): OrderTerm | undefined {
  cursor.spaces();
  const related = cursor.attemptQuietly(() => {
    const relation = fieldName(cursor);
    if (relation === undefined || cursor.peek() !== '(') return undefined;
    cursor.pos += 1;
    const column = field(cursor);
    return column !== undefined && cursor.char(')') ? { relation, field: column } : undefined;
  });
  const column = related === undefined ? field(cursor) : undefined;
  const base = related ?? (column && { field: column });
  if (base === undefined) return undefined;
  const direction = suffix(cursor, ['asc', 'desc']);
  const nulls = suffix(cursor, ['nullsfirst', 'nullslast']);
  cursor.spaces();
  if (!cursor.atEnd && cursor.peek() !== ',') {
    return nulls === undefined
      ? cursor.miss('delimiter (.)', '","', 'end of input')
      : cursor.miss('","', 'end of input');
  }
  return {
    ...base,
    ...(direction && { direction: direction === 'asc' ? ('asc' as const) : ('desc' as const) }),
    ...(nulls && { nulls: nulls === 'nullsfirst' ? ('first' as const) : ('last' as const) }),
  };
}

export function orderTerms(cursor: Cursor): OrderTerm[] | undefined {
  const terms: OrderTerm[] = [];
  do {
    const found = term(cursor);
    if (found === undefined) return undefined;
    terms.push(found);
  } while (cursor.char(','));
  return terms;
}
