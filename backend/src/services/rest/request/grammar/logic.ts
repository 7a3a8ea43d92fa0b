// `and`/`or` trees: `(a.eq.1,not.and(b.gt.2,c.is.null))` (PostgREST docs, "Logical operators").
import { tooComplex } from '../../errors/catalogue.ts';
import type { Logic } from '../model.ts';
import type { Cursor } from './cursor.ts';
import { condition, logicValue } from './filter.ts';
import { field } from './names.ts';

const BEGINNING = /^(not\.)?(and|or)?/;
const GROUP = /\s*(?:not\.)?(?:and|or)\s*(?=\()/y;

/** Parses a group (`and(…)`, `or(…)`) or a filter. @param most levels of nesting */
export function logicTree(cursor: Cursor, most: number, depth = 0): Logic | undefined {
  const head = cursor.take(GROUP)?.trim();
  if (head === undefined) {
    const start = cursor.pos;
    return logicFilter(cursor) ?? noGroup(cursor, start);
  }
  if (depth >= most) throw tooComplex('nested logic groups', most);
  const terms: Logic[] = [];
  cursor.pos += 1;
  do {
    cursor.spaces();
    const term = logicTree(cursor, most, depth + 1);
    if (term === undefined) return undefined;
    terms.push(term);
    cursor.spaces();
  } while (cursor.char(','));
  if (!cursor.char(')')) return undefined;
  cursor.spaces();
  const negated = head.startsWith('not.');
  return { kind: 'group', negated, operator: head.endsWith('or') ? 'or' : 'and', terms };
}

/** Reports a text that begins like a group as PostgREST does. */
function noGroup(cursor: Cursor, start: number): undefined {
  cursor.pos = start;
  const [, not, operator] = BEGINNING.exec(cursor.text.slice(start)) ?? [];
  if (not === undefined && operator === undefined) return undefined;
  cursor.pos += (not ?? '').length + (operator ?? '').length;
  return cursor.onlyMissWord(operator === undefined ? 'logic operator (and, or)' : '"("');
}

function logicFilter(cursor: Cursor): Logic | undefined {
  const start = cursor.pos;
  const column = field(cursor);
  if (column === undefined) {
    if (cursor.pos === start) {
      cursor.missWord('negation operator (not)', 'logic operator (and, or)');
    }
    return undefined;
  }
  if (!cursor.delimiter()) return undefined;
  const found = condition(cursor, logicValue);
  return found && { kind: 'filter', filter: { field: column, ...found } };
}
