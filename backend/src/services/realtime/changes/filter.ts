// The `filter` of a postgres_changes binding (Supabase docs, "Postgres Changes"): `col=[not.]op.value[,…]`; commas mean AND.

const OPERATORS = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'is',
  'like',
  'ilike',
  'match',
  'imatch',
  'isdistinct',
] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Condition {
  column: string;
  operator: Operator;
  negated: boolean;
  /** One value, or the list of `in`. */
  values: string[];
}

export class FilterError extends Error {}

/** Splits at commas outside parentheses and quotes. A quote is special only where a value can begin. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let part = '';
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (quoted) {
      if (char === '\\') {
        part += char + text.charAt(i + 1);
        i += 1;
        continue;
      }
      quoted = char !== '"';
    } else if (char === '"' && /[.(,]$|^$/.test(part)) quoted = true;
    else if (char === '(') depth += 1;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (char === ',' && depth === 0) {
      parts.push(part);
      part = '';
      continue;
    }
    part += char;
  }
  return [...parts, part];
}

function unquote(value: string): string {
  const quoted = /^"(.*)"$/s.exec(value)?.[1];
  return quoted === undefined ? value : quoted.replace(/\\(.)/gs, '$1');
}

function isOperator(name: string | undefined): name is Operator {
  return OPERATORS.some((operator) => operator === name);
}

function parseCondition(text: string): Condition {
  const refuse = (detail: string): never => {
    throw new FilterError(`Error parsing \`filter\` params: ${detail}`);
  };
  const at = text.indexOf('=');
  if (at < 1) return refuse(JSON.stringify([text]));
  const column = text.slice(0, at).trim();
  const rest = text.slice(at + 1).trim();
  const negated = rest.startsWith('not.');
  const [, operator, value = ''] = /^(\w+)\.(.*)$/s.exec(negated ? rest.slice(4) : rest) ?? [];
  if (!isOperator(operator)) return refuse(JSON.stringify(rest.split('.')));
  if (operator === 'in') {
    const list = /^\((.*)\)$/s.exec(value)?.[1];
    if (list === undefined) return refuse('`in` filter value must be wrapped by parentheses');
    return { column, operator, negated, values: splitTopLevel(list).map(unquote) };
  }
  if (operator === 'is' && !/^(null|true|false|unknown)$/i.test(value)) {
    return refuse('`is` filter value must be null, true, false or unknown');
  }
  return { column, operator, negated, values: [unquote(value)] };
}

/** @throws FilterError whose message is sent to the client */
export function parseFilter(text: string): Condition[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : splitTopLevel(trimmed).map(parseCondition);
}
