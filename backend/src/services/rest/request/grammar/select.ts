// `select=`: columns with alias, JSON path, cast and aggregate; embedded and spread resources, nested.
import { tooComplex } from '../../errors/catalogue.ts';
import type {
  Aggregate,
  Limits,
  OrderTerm,
  SelectEmbed,
  SelectField,
  SelectItem,
} from '../model.ts';
import type { Cursor } from './cursor.ts';
import { field, fieldName, typeName } from './names.ts';

const AGGREGATES: readonly Aggregate[] = ['sum', 'avg', 'count', 'max', 'min'];

export function selectList(limits: Limits): (cursor: Cursor) => SelectItem[] | undefined {
  return (cursor) => list(cursor, { depth: 0, embeds: { count: 0 }, limits });
}

interface Level {
  depth: number;
  embeds: { count: number };
  limits: Limits;
}

function list(cursor: Cursor, level: Level): SelectItem[] | undefined {
  return cursor.list(() => {
    cursor.spaces();
    const start = cursor.pos;
    const item = embed(cursor, level) ?? (cursor.pos === start ? column(cursor) : undefined);
    if (item !== undefined) cursor.spaces();
    return item;
  });
}

function alias(cursor: Cursor): string | undefined {
  return cursor.attempt(() => {
    const name = fieldName(cursor);
    if (name === undefined || cursor.peek() !== ':' || cursor.text[cursor.pos + 1] === ':') {
      return undefined;
    }
    cursor.pos += 1;
    return name;
  });
}

function embed(cursor: Cursor, level: Level): SelectEmbed | undefined {
  const head = cursor.attempt(() => {
    cursor.spaces();
    const isSpread = cursor.text.startsWith('...', cursor.pos);
    if (isSpread) cursor.pos += 3;
    const as = isSpread ? undefined : alias(cursor);
    const name = fieldName(cursor);
    if (name === undefined) return undefined;
    const options: { hint?: string; join?: 'inner' | 'left' } = {};
    for (let round = 0; round < 2 && cursor.peek() === '!'; round += 1) {
      cursor.pos += 1;
      const option = fieldName(cursor);
      if (option === undefined) return undefined;
      if (option === 'inner' || option === 'left') options.join ??= option;
      else options.hint ??= option;
    }
    // `count()` is the aggregate, even if a table is called count.
    if (cursor.peek() !== '(' || (name === 'count' && cursor.text[cursor.pos + 1] === ')')) {
      return undefined;
    }
    cursor.pos += 1;
    return {
      kind: 'embed' as const,
      name,
      isSpread,
      ...(as !== undefined && { alias: as }),
      ...options,
    };
  });
  if (head === undefined) return undefined;
  level.embeds.count += 1;
  const { embedDepth, embeds } = level.limits;
  if (level.depth >= embedDepth) throw tooComplex('levels of embedding', embedDepth);
  if (level.embeds.count > embeds) throw tooComplex('embedded resources', embeds);
  cursor.spaces();
  const isEmpty = cursor.peek() === ')';
  const select = isEmpty ? [] : list(cursor, { ...level, depth: level.depth + 1 });
  return select !== undefined && cursor.char(')') ? { ...head, select } : undefined;
}

function cast(cursor: Cursor): string | undefined | false {
  if (!cursor.text.startsWith('::', cursor.pos)) {
    cursor.miss('"::"');
    return undefined;
  }
  cursor.pos += 2;
  return typeName(cursor) ?? false;
}

function aggregate(cursor: Cursor): Aggregate | undefined {
  return cursor.attempt(() => {
    if (!cursor.char('.')) return undefined;
    const found = AGGREGATES.find((name) => cursor.word(name));
    return found !== undefined && cursor.word('()') ? found : undefined;
  });
}

const AFTER_COLUMN = [
  'letter',
  'digit',
  '"-"',
  '"->>"',
  '"->"',
  '"::"',
  '"."',
  '")"',
  '","',
  'end of input',
];

function column(cursor: Cursor): SelectField | undefined {
  const as = alias(cursor);
  const named = as === undefined ? {} : { alias: as };
  if (cursor.text.startsWith('count()', cursor.pos)) {
    cursor.pos += 'count()'.length;
    const aggregateCast = cast(cursor);
    if (aggregateCast === false) return undefined;
    return {
      kind: 'field',
      field: { name: '*', path: [] },
      aggregate: 'count',
      ...named,
      ...(aggregateCast !== undefined && { aggregateCast }),
    };
  }
  const found = field(cursor);
  if (found === undefined) return undefined;
  const type = cast(cursor);
  const fn = type === false ? undefined : aggregate(cursor);
  const aggregateCast = fn === undefined ? undefined : cast(cursor);
  if (type === false || aggregateCast === false) return undefined;
  const next = cursor.peek();
  if (next !== undefined && next !== ',' && next !== ')') {
    return cursor.miss(...AFTER_COLUMN);
  }
  return {
    kind: 'field',
    field: found,
    ...named,
    ...(type !== undefined && { cast: type }),
    ...(fn !== undefined && { aggregate: fn }),
    ...(aggregateCast !== undefined && { aggregateCast }),
  };
}

// `col[.asc|.desc][.nullsfirst|.nullslast],…`, and `relation(col).desc` for an embedded to-one resource.

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

export const orderTerms = (cursor: Cursor): OrderTerm[] | undefined =>
  cursor.list(() => term(cursor));
